SELECT batch, stage, raters, labels FROM folded
