-- How many patterns were put into the bags. The relations above write as they are.
SELECT count(*) FROM patterns
