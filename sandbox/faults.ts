/** How a provider can misbehave; the first five concern calls to it, the others its call-backs. */
export const FAULT_KINDS = [
  'delay',
  'refuse',
  'drop',
  'commit-then-drop',
  'error',
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
}

/** The faults people and tests have asked for; they do not survive a restart. */
export interface Faults {
  /** One call, and one second, unless it says otherwise. */
  arm(
    fault: Pick<SandboxFault, 'provider' | 'kind'> & { times?: number; ms?: number },
  ): SandboxFault;
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
    arm({ provider, kind, times = 1, ms = MS }) {
      const fault = { provider, kind, times, ms };
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
