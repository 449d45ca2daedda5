# Likelihoods of the true answers, and how they are fitted. Every report enters with its chances:
# A[i, v] = P(report i | truth v). `rows` gives each row's log-likelihood and its gradient by t, the
# parameters on orthogonal columns; what people read is back %*% t + shift.

# One of several options, against the first; yes/no is one of two.
choice_model <- function(used, chances) {
  design <- solve_columns(used$x)
  options <- ncol(chances)
  labels <- colnames(chances)
  terms <- colnames(used$x)
  two <- options == 2
  shown <- if (two) labels[2] else labels
  list(
    names = if (two) terms else paste0(rep(labels[-1], each = length(terms)), ": ", terms),
    start = rep(0, ncol(used$x) * (options - 1)),
    back = kronecker(diag(options - 1), design$back), shares = TRUE, outcomes = shown,
    rows = function(t) {
      share <- option_shares(design$z, t)
      joint <- chances * share
      chance <- rowSums(joint)
      list(value = log(chance), scores = by_option((joint / chance - share)[, -1], design$z))
    },
    smallest = function(b) min(option_shares(used$x, b)),
    mean = function(b, x, new)
      option_shares(x, b)[, if (two) 2 else seq_len(options), drop = FALSE])
}

# The share of every option in every row; the first option's logit is 0.
option_shares <- function(x, b) {
  eta <- cbind(0, x %*% matrix(b, ncol(x)))
  odds <- exp(eta - row_max(eta))
  odds / rowSums(odds)
}

row_max <- function(x) do.call(pmax, lapply(seq_len(ncol(x)), function(at) x[, at]))

by_option <- function(factors, x) {
  factors <- as.matrix(factors)
  do.call(cbind, lapply(seq_len(ncol(factors)), function(at) factors[, at] * x))
}

# Ordered levels: P(truth <= j) = plogis(threshold j - x'b). The thresholds are the constant.
ordinal_model <- function(used, chances) {
  x <- used$x[, colnames(used$x) != "(Intercept)", drop = FALSE]
  if (ncol(x) == 0) stop("an ordinal regression needs a covariate", call. = FALSE)
  middle <- colMeans(x)
  design <- solve_columns(sweep(x, 2, middle))
  levels <- ncol(chances)
  labels <- colnames(chances)
  count <- seq_len(ncol(x))
  jumps <- chances[, -levels, drop = FALSE] - chances[, -1, drop = FALSE]
  back <- diag(ncol(x) + levels - 1)
  back[count, count] <- design$back
  back[-count, count] <- rep(drop(middle %*% design$back), each = levels - 1)
  below_of <- function(x, b) plogis(outer(-drop(x %*% b[count]), b[-count], "+"))
  shares_of <- function(x, b) {
    below <- cbind(0, below_of(x, b), 1)
    below[, -1, drop = FALSE] - below[, -ncol(below), drop = FALSE]
  }
  list(
    names = c(colnames(x), paste0(labels[-levels], "|", labels[-1])),
    start = c(0 * count, qlogis(seq_len(levels - 1) / levels)), back = back, shares = TRUE,
    outcomes = labels,
    rows = function(t) {
      below <- below_of(design$z, t)
      chance <- rowSums(shares_of(design$z, t) * chances)
      if (any(diff(t[-count]) <= 0)) chance <- NaN * chance
      slopes <- below * (1 - below) * jumps / chance
      list(value = log(chance), scores = cbind(-rowSums(slopes) * design$z, slopes))
    },
    smallest = function(b) min(shares_of(x, b)),
    mean = function(b, x, new) shares_of(x[, colnames(x) != "(Intercept)", drop = FALSE], b))
}

# Randomized predictors: L = sum over v of A[i, v] share_v(w) f(outcome | x'b + effects of v), over
# all combinations v of their true values. Their shares are a multinomial logit on w, which has all
# columns of x. f is normal, or yes/no, randomized too or not.
predictor_model <- function(used, name) {
  if (!name %in% c("logit", "linear") || (name == "linear" && !is_plain(used)))
    stop("with a randomized predictor the outcome is yes/no, or a number that was not randomized",
         call. = FALSE)
  each <- lapply(used$predictors, function(id) chances_of(id)[used$rows, , drop = FALSE])
  # The last predictor changes fastest.
  values <- rev(expand.grid(rev(lapply(each, function(one) seq_len(ncol(one))))))
  if (nrow(values) > 64) stop("the predictors have ", nrow(values), " combinations of true ",
                              "values; at most 64 can be summed over", call. = FALSE)
  chances <- Reduce(`*`, Map(function(one, at) one[, at, drop = FALSE], each, values))
  effects <- do.call(cbind, Map(function(one, at)
    diag(ncol(one))[at, -1, drop = FALSE], each, values))
  effect_names <- unlist(Map(function(id, one) if (ncol(one) == 2) id
    else paste0(id, "[", colnames(one)[-1], "]"), used$predictors, each))
  combined <- do.call(paste, c(Map(function(id, one, at) paste0(id, "=", colnames(one)[at]),
                                   used$predictors, each, values), sep = ", "))
  x <- solve_columns(used$x)
  w <- solve_columns(used$w)
  outcome <- if (name == "logit") yes_no_outcome(binary_chances(used)) else
    normal_outcome(outcome_scores(used))
  own <- choice_model(list(x = used$w), chances)
  gamma <- maximise(own$rows, own$start, used$weights)$t
  at <- split(seq_len(ncol(used$x) + ncol(effects) + outcome$extras + length(gamma)),
              rep(1:4, c(ncol(used$x), ncol(effects), outcome$extras, length(gamma))))
  part <- function(t, which) t[at[[as.character(which)]]]
  joint <- chances * option_shares(w$z, gamma)
  usual <- outcome$start(cbind(x$z, (joint / rowSums(joint)) %*% effects), used$weights)
  start <- c(usual, gamma)
  back <- diag(length(start))
  back[at[["1"]], at[["1"]]] <- outcome$scale * x$back
  diag(back)[at[["2"]]] <- outcome$scale
  back[at[["4"]], at[["4"]]] <- kronecker(diag(nrow(values) - 1), w$back)
  columns <- lapply(seq_len(nrow(values)), function(v)
    cbind(x$z, matrix(effects[v, ], nrow(x$z), ncol(effects), byrow = TRUE)))
  eta_of <- function(x, t) outer(drop(x %*% part(t, 1)), drop(effects %*% part(t, 2)), "+")
  list(
    names = c(colnames(used$x), effect_names, if (outcome$extras) "log sigma",
              paste0(rep(combined[-1], each = ncol(used$w)), ": ", colnames(used$w))),
    start = start, back = back, shift = replace(0 * start, at[["3"]], log(outcome$scale)),
    shares = name == "logit", outcomes = if (name == "logit") "yes" else used$outcome,
    others = lapply(c(2, -2, 0), function(effect) {
      other <- replace(start, at[["2"]], effect)
      if (effect == 0) other[at[["4"]]] <- 0
      other
    }),
    rows = function(t) {
      share <- option_shares(w$z, part(t, 4))
      density <- outcome$density(eta_of(x$z, t), part(t, 3))
      largest <- row_max(density$log)
      joint <- chances * share * exp(density$log - largest)
      chance <- rowSums(joint)
      after <- joint / chance
      by_eta <- Reduce(`+`, lapply(seq_len(ncol(after)), function(v)
        after[, v] * density$slope[, v] * columns[[v]]))
      extra <- if (outcome$extras) rowSums(after * density$extra)
      list(value = log(chance) + largest,
           scores = cbind(by_eta, extra, by_option((after - share)[, -1], w$z)))
    },
    smallest = function(b) min(option_shares(used$w, part(b, 4)),
                               if (name == "logit") plogis(-abs(eta_of(used$x, b)))),
    mean = function(b, x, new) {
      chosen <- vapply(seq_along(used$predictors), function(place)
        match(as.character(new[[used$predictors[place]]]), colnames(each[[place]])),
        numeric(nrow(new)))
      if (anyNA(chosen)) stop("`new` must name options of ", used$predictors[1], call. = FALSE)
      which_one <- apply(matrix(chosen, nrow(new)), 1, function(one)
        which(colSums(t(values) == one) == length(one)))
      eta <- drop(x %*% part(b, 1)) + drop(effects[which_one, , drop = FALSE] %*% part(b, 2))
      matrix(if (name == "logit") plogis(eta) else eta)
    })
}

yes_no_outcome <- function(chances) list(
  extras = 0, scale = 1, start = function(x, weights) rep(0, ncol(x)),
  density = function(eta, extra) {
    more <- chances[, 2] - chances[, 1]
    chance <- chances[, 1] + more * plogis(eta)
    list(log = log(chance), slope = more * dlogis(eta) / chance)
  })

# A number with normal errors, fitted in units of its standard deviation.
normal_outcome <- function(y) {
  scale <- sqrt(mean((y - mean(y))^2))
  if (scale == 0) stop("the outcome is the same in all rows", call. = FALSE)
  y <- y / scale
  list(
    extras = 1, scale = scale,
    start = function(x, weights) {
      fit <- lm.wfit(x, y, weights)
      c(unname(fit$coefficients), log(max(weighted.mean(fit$residuals^2, weights), 1e-6)) / 2)
    },
    density = function(eta, extra) {
      away <- (y - eta) / exp(extra)
      list(log = -log(2 * pi) / 2 - extra - log(scale) - away^2 / 2, slope = away / exp(extra),
           extra = away^2 - 1)
    })
}
