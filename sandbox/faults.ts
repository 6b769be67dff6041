/** How networks, providers and their answers fail, then how call-backs do. */
export const FAULT_KINDS = [
  'delay',
  'refuse',
  'drop',
  'commit-then-drop',
  'error',
  'throttle',
  'unauthorized',
  'forbidden',
  'maintenance',
  'html',
  'refuse-with',
  'slow-body',
  'other-shape',
  'stale-list',
  'early-callback',
  'duplicate-callback',
  'late-callback',
  'bad-signature',
  'reorder',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface SandboxFault {
  readonly provider: string;
  readonly kind: FaultKind;
  /** How many calls it still spoils. */
  readonly times: number;
  /** Milliseconds, for the kinds that wait. */
  readonly ms: number;
  /** Seconds of `Retry-After`, for those that say when to come again. */
  readonly retry_after?: number;
  /** What `refuse-with` answers, the code in the provider's own form. */
  readonly status?: number;
  readonly code?: string;
}

/** One fault, before the usual values are filled in: one call, and one second. */
type Wish = Pick<SandboxFault, 'provider' | 'kind'> & Partial<SandboxFault>;

/** The faults people and tests have asked for; they do not survive a restart. */
export interface Faults {
  arm(wish: Wish): SandboxFault;
  /** Uses up one of the oldest fault of these kinds that is armed for the provider. */
  take(provider: string, ...kinds: readonly FaultKind[]): SandboxFault | undefined;
  /** What is still armed, oldest first. */
  list(): readonly SandboxFault[];
  /** Takes back what is armed, for one provider or for all. */
  clear(provider?: string): void;
}

const MS = 1000;

export function createFaults(): Faults {
  let armed: SandboxFault[] = [];
  return {
    arm({ times = 1, ms = MS, ...wish }) {
      const fault = { ...wish, times, ms };
      armed.push(fault);
      return fault;
    },
    take(provider, ...kinds) {
      const at = armed.findIndex((f) => f.provider === provider && kinds.includes(f.kind));
      const found = armed[at];
      if (found === undefined) return undefined;
      const left = { ...found, times: found.times - 1 };
      armed.splice(at, 1, ...(left.times > 0 ? [left] : []));
      return found;
    },
    list: () => [...armed],
    clear(provider) {
      armed = provider === undefined ? [] : armed.filter((f) => f.provider !== provider);
    },
  };
}
