SELECT batch_item, item, codebook, kind, number, done, needed, state FROM standing
