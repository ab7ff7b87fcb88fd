UPDATE annotation_app_answerpattern p SET n_bagged = p.n_bagged + c.n FROM patterns c WHERE p.key = c.key RETURNING p.key
