SELECT 'percent_agreement' AS statistic, * FROM percent_agreement
UNION ALL SELECT 'item_agreement', * FROM item_agreement
UNION ALL SELECT 'fleiss_kappa', * FROM fleiss_kappa
UNION ALL SELECT 'fleiss_kappa_general', * FROM fleiss_kappa_general
UNION ALL SELECT 'alpha_nominal', * FROM alpha_nominal
UNION ALL SELECT 'alpha_ordinal', * FROM alpha_ordinal
UNION ALL SELECT 'cohen_kappa', * FROM cohen_kappa
UNION ALL SELECT 'ac1', * FROM ac1
