import { type Command, EXIT } from '../command.ts';
import type { Session } from '../session.ts';

const SKEW_MAX_MS = 30_000;

export const status: Command = {
  name: 'status',
  summary: 'Shows whether the service is ready, its rails, and how far the clocks are apart',
  async run(session) {
    const { url, name } = await session.standing();
    const began = performance.now();
    const health = await fetch(`${url}/health/ready`).catch(() => undefined);
    const ms = Math.round(performance.now() - began);
    const body = (await health?.json().catch(() => ({}))) as Record<string, unknown> | undefined;
    const date = health?.headers.get('date');
    const skew = date ? Date.now() - Date.parse(date) : 0;
    const isReady = health?.ok === true;
    const shown = {
      profile: name,
      url,
      status: isReady ? 'ready' : health ? 'not ready' : 'no answer',
      answered_in_ms: health ? ms : undefined,
      mock_mode: body?.['mock_mode'],
      missing: missingOf(body),
      clock: Math.abs(skew) > SKEW_MAX_MS ? `${Math.round(skew / 1000)} s apart` : 'right',
    };
    const rails = isReady ? await railsOf(session) : [];
    if (session.output.json) {
      session.output.thing({ ...shown, rails });
    } else {
      session.output.thing(shown, shown);
      session.output.table(rails, (rail) => ({
        rail: rail.rail,
        status: rail.status,
        usual_s: rail.usual_seconds.p50 ?? '-',
        in_doubt: rail.in_doubt,
      }));
    }
    return isReady ? EXIT.ok : EXIT.failed;
  },
};

function missingOf(body: Record<string, unknown> | undefined): string | undefined {
  const missing = body?.['missing'];
  return Array.isArray(missing) && missing.length > 0 ? missing.join(' ') : undefined;
}

/** For admins; others see the service alone. */
async function railsOf(session: Session) {
  try {
    return (await (await session.person()).payments.rails()).data.items;
  } catch {
    return [];
  }
}
