SELECT unit, batch, rater, stage, label FROM votes
