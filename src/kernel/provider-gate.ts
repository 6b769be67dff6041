import type { Logger } from './log.ts';
import { NOT_CONFIGURED, type Outcome, refused, unknown } from './provider-call.ts';
import type { ProviderStatus } from './provider-status.ts';

/** Which of a port's functions are what; all others ask something, and may be repeated. */
export interface PortCalls<Port> {
  /** Does something there that is booked here: it must be known for certain that it did not happen. */
  readonly acts?: readonly (keyof Port)[];
  /** Makes no call. */
  readonly local?: readonly (keyof Port)[];
}

/**
 * The port of a provider that lacks settings: nothing leaves, and the log names what is missing. An
 * act is refused, so that its caller ends it; a question stays open, because what was done before the
 * setting was lost is as it was.
 */
export function gate<Port extends object>(
  port: Port,
  name: string,
  { lacking }: ProviderStatus,
  { log, acts = [], local = [] }: { readonly log: Logger } & PortCalls<Port>,
): Port {
  if (lacking.length === 0) return port;
  const answer = (call: keyof Port) => async (): Promise<Outcome<never>> => {
    log.warn({ provider: name, call, settings: lacking }, 'a provider is not configured');
    if (!acts.includes(call)) return unknown(NOT_CONFIGURED);
    return refused(NOT_CONFIGURED, `${name} is not configured`);
  };
  const calls = (Object.keys(port) as (keyof Port)[]).filter((call) => !local.includes(call));
  return { ...port, ...Object.fromEntries(calls.map((call) => [call, answer(call)])) };
}
