const SECOND_MS = 1000;
const STEPS = [
  [86_400, 'd', 3_600, 'h'],
  [3_600, 'h', 60, 'min'],
  [60, 'min', 1, 's'],
] as const;

/** `3 h 20 min`: two units at most, enough for an age. */
export function lasting(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [step] = STEPS.filter(([size]) => whole >= size);
  if (step === undefined) return `${whole} s`;
  const [size, unit, rest, small] = step;
  const more = Math.floor((whole % size) / rest);
  return `${Math.floor(whole / size)} ${unit}${more > 0 ? ` ${more} ${small}` : ''}`;
}

export const dayOf = (at: string): string => new Date(at).toISOString().slice(0, 10);
/** To the millisecond, as in the log lines. */
export const timeOf = (at: string): string => new Date(at).toISOString().slice(11, 23);

interface WhenProps {
  readonly at: string;
  /** The service's own time: a sandbox's clock may differ from the browser's. */
  readonly now?: string;
}

/** A time in UTC, as in the logs and the ledger, with its age. */
export const When = ({ at, now }: WhenProps) => (
  <span className="when">
    <time dateTime={at} title={`${dayOf(at)} ${timeOf(at)} UTC`}>
      <span>{dayOf(at)}</span> <span>{timeOf(at).slice(0, 8)}</span>
    </time>
    {now !== undefined && (
      <span className="soft"> {lasting((Date.parse(now) - Date.parse(at)) / SECOND_MS)} ago</span>
    )}
  </span>
);
