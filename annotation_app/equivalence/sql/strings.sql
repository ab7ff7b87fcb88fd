-- How often each category is marked with which words and comment. Parameters: project, reader, sees_open.
SELECT category, quote, comment, count(*) FROM spans GROUP BY category, quote, comment
