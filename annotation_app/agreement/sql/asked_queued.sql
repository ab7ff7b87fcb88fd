SELECT DISTINCT batch_item AS unit, batch FROM queued
