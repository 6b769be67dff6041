/** Goes on at once where nothing has to be waited for: a promise costs a request more than its checks. */
export const after = <T, U>(
  value: T | Promise<T>,
  next: (value: T) => U | Promise<U>,
): U | Promise<U> => (value instanceof Promise ? value.then(next) : next(value));
