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

let isInUtc = true;
/** The operator's people read times as the logs and the ledger have them, a client's in the zone of their machine. */
export const showTimesIn = (zone: 'UTC' | 'local'): void => {
  isInUtc = zone === 'UTC';
};
/** The moment whose ISO text in UTC reads as the reader's clock shows `at`. */
const shownTime = (at: string): string => {
  const date = new Date(at);
  const away_ms = isInUtc ? 0 : date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - away_ms).toISOString();
};

/** A time with its age, and in UTC where one points at it. */
export const When = ({ at, now }: WhenProps) => (
  <span className="when">
    <time dateTime={at} title={`${dayOf(at)} ${timeOf(at)} UTC`}>
      <span>{dayOf(shownTime(at))}</span> <span>{timeOf(shownTime(at)).slice(0, 8)}</span>
    </time>
    {now !== undefined && (
      <span className="soft"> {lasting((Date.parse(now) - Date.parse(at)) / SECOND_MS)} ago</span>
    )}
  </span>
);
