# Regressions of the true answers on the group, on its factors, or on anything else that is known
# of every row of reports.csv and was not randomized.

# regress(smokes ~ group) is a logistic regression of saying yes, through the randomizer.
# regress(fruit ~ group, option = 2) is one of choosing option 2 of a list.
# regress(drinks ~ group) is an ordinary regression of a number, on its unbiased scores;
# linear = TRUE does the same with the share of an option.
# `data` may bring covariates of your own, with a row per row of reports.csv.
regress <- function(formula, option = 1, data = NULL, linear = FALSE) {
  id <- as.character(formula[[2]])
  d <- design_of(id)
  frame <- data.frame(group = factor(own_group()))
  for (name in names(factor_levels))
    frame[[name]] <- factor(reports[[name]], levels = factor_levels[[name]])
  frame[names(data)] <- data
  used <- intersect(setdiff(all.vars(formula[[3]]), names(data)), design$question)
  if (length(used)) stop(used[1], " is randomized too: as a covariate it would make every effect ",
                         "look smaller than it is", call. = FALSE)
  if (is_number(d) && has_silence(d))
    stop(id, " can be declined, so that its mean is a ratio, which a linear model cannot fit; ",
         "compare(\"", id, "\") compares its means", call. = FALSE)
  if (is_number(d)) frame[[id]] <- scores_of(id)[, 1]
  else if (linear) frame[[id]] <- scores_of(id)[, option + 1]
  else frame[[id]] <- reported(id, option)
  if (linear || is_number(d)) linear_model(formula, frame)
  else logistic_model(formula, frame, channel(d))
}

logistic_model <- function(formula, frame, ch) {
  p <- unname(ch["p"]); q <- unname(ch["q"])
  fit <- suppressWarnings(glm(formula, binomial(randomized(p, q)), frame,
                              control = glm.control(epsilon = 1e-12, maxit = 100)))
  x <- model.matrix(fit)
  y <- fit$y
  b <- coef(fit)
  if (anyNA(b)) stop("the column ", names(b)[is.na(b)][1], " follows from the others: leave it out",
                     call. = FALSE)
  at <- function(b) {
    mu <- plogis(drop(x %*% b))
    lam <- q + (p - q) * mu
    slope <- (p - q) * mu * (1 - mu)
    pull <- y / lam - (1 - y) / (1 - lam)
    weight <- (y / lam^2 + (1 - y) / (1 - lam)^2) * slope^2 - pull * slope * (1 - 2 * mu)
    list(mu = mu, scores = x * (pull * slope), information = crossprod(x, x * weight),
         log_likelihood = sum(log(ifelse(y == 1, lam, 1 - lam))))
  }
  found <- at(b)
  size <- eigen(found$information, symmetric = TRUE, only.values = TRUE)$values
  far <- abs(drop(x %*% b)) > 15 & (found$mu < 1e-6 | found$mu > 1 - 1e-6)
  if (any(far) || min(size) < 1e-8 * max(size))
    stop("at the boundary: some groups report fewer or more than noise alone would give, and the ",
         "share there is estimated as 0 or 1. compare() shows the estimates", call. = FALSE)
  bread <- solve(found$information)
  tables(
    coefficients = coefficient_table(b, bread, robust(bread, found$scores)),
    reports = length(y), log_likelihood = found$log_likelihood)
}

linear_model <- function(formula, frame) {
  fit <- lm(formula, frame)
  if (anyNA(coef(fit))) stop("the column ", names(coef(fit))[is.na(coef(fit))][1],
                             " follows from the others: leave it out", call. = FALSE)
  x <- model.matrix(fit)
  covariance <- robust(solve(crossprod(x)), x * residuals(fit))
  tables(coefficients = coefficient_table(coef(fit), covariance, covariance), reports = nrow(x))
}

# The sandwich HC1.
robust <- function(bread, scores) {
  n <- nrow(scores)
  bread %*% crossprod(scores) %*% bread * n / (n - ncol(scores))
}

# standard_error is from the observed information for a logistic regression, HC1 for a linear one.
coefficient_table <- function(b, covariance, robust) {
  error <- sqrt(diag(covariance))
  data.frame(term = names(b), estimate = unname(b), standard_error = error, low = b - z * error,
             high = b + z * error, z = b / error, p_value = 2 * pnorm(-abs(b / error)),
             robust_error = sqrt(diag(robust)), row.names = NULL)
}
