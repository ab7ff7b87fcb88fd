SELECT l.view, l.bag, p.place, l.k
FROM bag_labels l
JOIN views v ON v.view = l.view
JOIN label_places p ON p.stage = v.stage AND p.label = l.label
