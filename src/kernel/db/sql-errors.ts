/** PostgreSQL's five-character error code, when `error` came from it. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The last one by a node that follows another, or is only about to lead: nothing can be written there. */
const UNAVAILABLE_STATES = /^(08|57P0|53300|57014|25006)/;
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The driver gives these no code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/**
 * Whether the database went away, is starting, taking over, full or too slow, rather than refusing what
 * it was asked: the same may do well in a moment.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return UNAVAILABLE_STATES.test(state);
  if (!(error instanceof Error)) return false;
  return (
    UNAVAILABLE_CODES.has(String((error as { code?: unknown }).code)) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  );
}
