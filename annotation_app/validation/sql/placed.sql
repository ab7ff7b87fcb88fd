SELECT *, row_number() OVER (ORDER BY batch, rank) AS place FROM standing
