SELECT 'percent_agreement' AS statistic, * FROM percent_agreement
UNION ALL SELECT 'alpha_nominal', * FROM alpha_nominal
