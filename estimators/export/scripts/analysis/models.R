# Regressions of the true answers on the group, on its factors, or on anything else that is known of
# every row of reports.csv, and on answers to other questions, which are randomized too.

# regress(smokes ~ group) is a logistic regression of saying yes, through the randomizer.
# regress(fruit ~ group) is a multinomial one of all options against the first;
#   option = 2 makes it a logistic one of choosing option 2, model = "ordinal" one of levels.
# regress(drinks ~ group) is an ordinary regression of a number, on its unbiased scores;
#   model = "linear" does the same with the share of an option.
# regress(smokes ~ group + fruit) has a randomized predictor. Its true value may depend on all other
#   covariates, and on those of predictors_on = ~ age.
# `data` brings covariates of your own, with a row per row of reports.csv; `weights` and `cluster`
# are vectors with an entry per row. `cov` is nonrobust (the observed information), HC0, HC1 or
# cluster; least squares and weights have HC1 by default. `new` are rows of covariates: the shares
# or means there are predicted. Marginal effects, tests of terms and repeats (freq_weights) are in
# `candor regress` alone.
regress <- function(formula, option = NULL, model = NULL, data = NULL, weights = NULL,
                    cluster = NULL, cov = NULL, new = NULL, predictors_on = NULL) {
  used <- columns_of(formula, option, data, weights, cluster, predictors_on)
  name <- if (is.null(model)) usual_model(used) else model
  if (!name %in% c("logit", "multinomial", "ordinal", "linear"))
    stop("model must be logit, multinomial, ordinal or linear, got ", name, call. = FALSE)
  kind <- errors_of(cov, used, name)
  fit <- if (length(used$predictors)) predictor_model(used, name)
         else switch(name, logit = choice_model(used, binary_chances(used)),
                     multinomial = choice_model(used, outcome_chances(used)),
                     ordinal = ordinal_model(used, outcome_chances(used)),
                     linear = NULL)
  found <- if (is.null(fit)) least_squares(used, kind) else fitted_model(fit, used, kind)
  found$table$note <- if (used$left_out) paste(used$left_out, "rows were left out.")
  if (!is.null(new)) found$table$predicted <- predicted(found, used, new)
  do.call(tables, found$table)
}

# What the formula asks for: the outcome, the design of plain covariates, randomized predictors.
columns_of <- function(formula, option, data, weights, cluster, predictors_on) {
  frame <- data.frame(group = factor(own_group()))
  for (name in names(factor_levels))
    frame[[name]] <- factor(reports[[name]], levels = factor_levels[[name]])
  frame[names(data)] <- data
  outcome <- as.character(formula[[2]])
  terms <- terms(formula[-2], data = frame)
  labels <- attr(terms, "term.labels")
  randomized <- setdiff(design$question, names(frame))
  predictors <- intersect(labels, randomized)
  mixed <- setdiff(intersect(all.vars(formula[[3]]), randomized), predictors)
  if (length(mixed)) stop(mixed[1], " was randomized: it can be a predictor by itself, not inside ",
                          "a function or an interaction", call. = FALSE)
  for (id in setdiff(c(outcome, predictors), names(frame))) check_declined(id)
  plain <- reformulate(c("1", setdiff(labels, predictors)), intercept = attr(terms, "intercept"))
  own <- if (is.null(predictors_on)) NULL else all.vars(predictors_on)
  unknown <- setdiff(c(all.vars(plain), own), names(frame))
  if (length(unknown)) stop("there is no column ", unknown[1], " in `data`", call. = FALSE)
  asked <- vapply(intersect(c(outcome, predictors), randomized), function(id)
    reports[[id]] != "null", logical(nrow(reports)))
  rows <- complete.cases(frame[c(all.vars(plain), own)]) & rowSums(!asked) == 0
  for (vector in list(weights, cluster)) if (!is.null(vector)) rows <- rows & !is.na(vector)
  if (outcome %in% names(frame)) rows <- rows & !is.na(frame[[outcome]])
  else if (!is.null(option)) rows <- rows & !is.na(reported(outcome, option))
  frame <- droplevels(frame[rows, , drop = FALSE])
  x <- model.matrix(plain, frame)
  w <- cbind(x, if (!is.null(own)) model.matrix(predictors_on, frame))
  w <- if (attr(terms, "intercept")) w else cbind(`(Intercept)` = 1, w)
  list(outcome = outcome, option = option, predictors = predictors, plain = plain, frame = frame,
       rows = rows, x = x, w = w[, !duplicated(colnames(w)), drop = FALSE],
       weights = if (is.null(weights)) rep(1, sum(rows)) else weights[rows],
       weighted = !is.null(weights), cluster = if (!is.null(cluster)) factor(cluster[rows]),
       left_out = sum(!rows))
}

check_declined <- function(id) if (is_number(design_of(id)) && has_silence(design_of(id)))
  stop(id, " can be declined, so that its mean is a ratio, which no model here fits; ",
       "compare(\"", id, "\") compares its means", call. = FALSE)

is_plain <- function(used) used$outcome %in% names(used$frame)

usual_model <- function(used) {
  if (is_plain(used))
    return(if (all(used$frame[[used$outcome]] %in% 0:1)) "logit" else "linear")
  d <- design_of(used$outcome)
  if (is_number(d)) "linear" else if (option_count(d) == 2 || !is.null(used$option)) "logit"
  else "multinomial"
}

errors_of <- function(cov, used, name) {
  robust <- used$weighted || (name == "linear" && !length(used$predictors))
  kind <- if (!is.null(used$cluster)) "cluster" else if (!is.null(cov)) cov
          else if (robust) "HC1" else "nonrobust"
  if (!kind %in% c("nonrobust", "HC0", "HC1", "cluster"))
    stop("cov must be nonrobust, HC0, HC1 or cluster, got ", kind, call. = FALSE)
  if (kind == "cluster" && is.null(used$cluster)) stop("cov = \"cluster\" needs `cluster`",
                                                       call. = FALSE)
  if (!is.null(cov) && cov != kind) stop("with `cluster` the errors are those of clusters",
                                         call. = FALSE)
  if (robust && kind == "nonrobust")
    stop("weights and least squares need robust errors: cov is HC0, HC1 or cluster", call. = FALSE)
  kind
}

# P(what was seen | no) and P(what was seen | yes) of the outcome in every row.
binary_chances <- function(used) {
  if (is_plain(used)) {
    y <- used$frame[[used$outcome]]
    if (!all(y %in% 0:1)) stop(used$outcome, " must be 0 or 1", call. = FALSE)
    return(cbind(no = 1 - y, yes = y))
  }
  d <- design_of(used$outcome)
  if (is.null(used$option) && (is_number(d) || option_count(d) != 2))
    stop("name one of the options of ", used$outcome, ": option = 0, 1, ...", call. = FALSE)
  option <- if (is.null(used$option)) 1 else used$option
  y <- reported(used$outcome, option)[used$rows]
  ch <- channel(d)
  found <- cbind(ifelse(y == 1, ch["q"], 1 - ch["q"]), ifelse(y == 1, ch["p"], 1 - ch["p"]))
  colnames(found) <- c("no", labels_of(used$outcome)[option + 1])
  found
}

outcome_chances <- function(used) {
  if (is_plain(used)) stop(used$outcome, " was not randomized: regress it with nnet or MASS",
                           call. = FALSE)
  chances_of(used$outcome)[used$rows, , drop = FALSE]
}

# P(report | truth): a row per report, a column per option or level.
chances_of <- function(id) {
  d <- design_of(id)
  keep <- keep_of(d)
  if (d$mechanism %in% c("smp", "privset"))
    stop(id, " has boxes, of which people tick several: option = 0, 1, ... is one of them",
         call. = FALSE)
  if (is_number(d)) {
    at <- if (d$mechanism == "isw") suppressWarnings(as.numeric(reports[[id]])) + 1
          else vapply(integers(reports[[id]]), function(v) 2 * v[1] + v[2] - 1, 0)
    found <- transition(d)[at, , drop = FALSE]
    colnames(found) <- d$lo + d$step * (0:d$top)
    return(found)
  }
  chance <- switch(d$mechanism, rr = c(keep, 1 - keep),
    ss = c(keep / choose(d$options - 1, d$size - 1), (1 - keep) / choose(d$options - 1, d$size)),
    hr = 2 * c(keep, 1 - keep) / 2^(floor(log2(d$options)) + 1))
  found <- supports_of(id)
  found[] <- ifelse(found == 1, chance[1], chance[2])
  colnames(found) <- labels_of(id)
  found
}

# An unbiased number for the outcome in every row.
outcome_scores <- function(used) {
  if (is_plain(used)) return(as.numeric(used$frame[[used$outcome]]))
  d <- design_of(used$outcome)
  if (!is_number(d) && is.null(used$option) && option_count(d) > 2)
    stop("name one of the options of ", used$outcome, ": option = 0, 1, ...", call. = FALSE)
  column <- if (is_number(d)) 1 else if (is.null(used$option)) 2 else used$option + 1
  scores_of(used$outcome)[used$rows, column]
}

# On unbiased scores, which vary unequally: errors are robust.
least_squares <- function(used, kind) {
  y <- outcome_scores(used)
  b <- solve_columns(used$x)
  bread <- solve(crossprod(b$z, used$weights * b$z))
  t <- drop(bread %*% crossprod(b$z, used$weights * y))
  scores <- used$weights * (y - drop(b$z %*% t)) * b$z
  covariance <- b$back %*% sandwich(bread, scores, kind, used) %*% t(b$back)
  found <- setNames(drop(b$back %*% t), colnames(used$x))
  list(b = found, covariance = covariance, shares = FALSE, mean = function(b, x, new) x %*% b,
       outcomes = used$outcome,
       table = list(coefficients = coefficient_table(found, covariance), errors = kind,
                    reports = nrow(used$x)))
}

coefficient_table <- function(b, covariance) {
  error <- sqrt(diag(covariance))
  data.frame(term = names(b), estimate = unname(b), standard_error = error, low = b - z * error,
             high = b + z * error, z = b / error, p_value = 2 * pnorm(-abs(b / error)),
             row.names = NULL)
}

# The shares or means at new rows of covariates; intervals of shares are those of their logits.
predicted <- function(found, used, new) {
  missing <- setdiff(c(all.vars(used$plain), used$predictors), names(new))
  if (length(missing)) stop("`new` has no column ", missing[1], call. = FALSE)
  old <- model.frame(used$plain, used$frame)
  x <- model.matrix(terms(old), model.frame(terms(old), new, xlev = .getXlevels(terms(old), old)))
  mean <- found$mean(found$b, x, new)
  error <- matrix(0, nrow(mean), ncol(mean))
  slopes <- vapply(seq_along(found$b), function(at) {
    step <- replace(0 * found$b, at, 1e-4 * sqrt(found$covariance[at, at]))
    (found$mean(found$b + step, x, new) - found$mean(found$b - step, x, new)) / (2 * sum(step))
  }, mean)
  slopes <- matrix(slopes, length(mean))
  error[] <- sqrt(rowSums((slopes %*% found$covariance) * slopes))
  ends <- function(sign) if (!found$shares) mean + sign * z * error
    else plogis(qlogis(mean) + sign * z * error / (mean * (1 - mean)))
  table_of(seq_len(nrow(mean)), seq_len(ncol(mean)), function(row, at) data.frame(
    row = row, outcome = found$outcomes[at], value = mean[row, at], standard_error = error[row, at],
    low = ends(-1)[row, at], high = ends(1)[row, at]))
}
