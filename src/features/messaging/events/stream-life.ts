import type { Db } from '#kernel/db/db.ts';
import { envelopeOf } from '#kernel/events/envelope.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { Events } from '#kernel/events/events.ts';
import type { Outlet } from '#kernel/http/declare/outlet.ts';
import type { KeyCaller, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Timers } from '#kernel/timers.ts';
import { numberOf } from './routes.ts';
import { isStillIn, type Reader } from './store.ts';

const HEARTBEAT_MS = 15_000;
const LIFE_MS = 15 * 60_000;
/** How long the other side may take nothing; it then resumes where it was. */
export const WAITING_MAX = 256 * 1024;
const ROOM_MS = 30_000;

export interface LifeDeps extends Pick<Kernel, 'clock'> {
  readonly events: Pick<Events, 'follow'>;
  /** Whether this service moves real money. */
  readonly live: boolean;
  readonly timers: Timers;
}

interface Following {
  readonly caller: KeyCaller | UserCaller;
  readonly reader: Reader;
  readonly types: readonly string[] | undefined;
  readonly db: Db;
  readonly out: Outlet;
  readonly after: number;
}

/**
 * Sends events as they come, until a quarter of an hour is over, the caller's access ends, or the other side is gone or
 * does not keep up.
 */
export function followStream(
  { events, clock, live, timers }: LifeDeps,
  following: Following,
): void {
  const { caller, reader, types, db, out, after } = following;
  let isOver = false;
  let forget: (() => void) | undefined;
  const end = () => {
    // A reader that takes nothing would hold it open for ever.
    forget ??= timers.after(ROOM_MS, () => out.drop());
    out.end();
  };
  const leave = events.follow({
    ...reader,
    types,
    after,
    tell(event) {
      // The rest of a page during which the reader was dropped.
      if (isOver) return;
      out.write(frame(event.type, numberOf(reader, event), textOf(event, live)));
      if (out.waiting <= WAITING_MAX) return;
      isOver = true;
      out.drop();
    },
    room: () => roomIn(out, timers),
    end,
  });
  const stopBeating = timers.every(HEARTBEAT_MS, () => {
    out.write(':\n\n');
    isStillIn(db, caller, clock.now().toISOString()).then((is) => is || end(), end);
  });
  const spare = timers.after(LIFE_MS, end);
  out.onEnd(() => {
    isOver = true;
    leave();
    stopBeating();
    spare();
    forget?.();
  });
}

/** A message of a stream. */
export const frame = (type: string, id: number, data: string): string =>
  `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;

/** The text of the latest event: all streams need it one after another. */
let printed: { event: LoggedEvent; live: boolean; text: string } | undefined;
function textOf(event: LoggedEvent, live: boolean): string {
  if (printed?.event !== event || printed.live !== live)
    printed = { event, live, text: envelopeOf(event, { live }) };
  return printed.text;
}

/** Drops the other side, and rejects, where it takes nothing for long. */
function roomIn(out: Outlet, timers: Timers): Promise<void> {
  if (out.waiting < WAITING_MAX / 4) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const inTime = timers.after(ROOM_MS, () => {
      out.drop();
      reject(new Error('It takes nothing'));
    });
    const done = () => {
      inTime();
      resolve();
    };
    out.onDrained(done);
    out.onEnd(done);
  });
}
