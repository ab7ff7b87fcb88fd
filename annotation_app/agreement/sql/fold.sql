-- How many items were counted again. The relations above write as they are.
SELECT count(*) FROM asked
