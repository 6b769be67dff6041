// Long: a person has a million rows.

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness } from '#test/harness.ts';
import { writeExport } from './write-export.ts';

const h = await harness();
const ROWS = 1_000_000;
const MIB = 2 ** 20;

test('an export of a million rows fills no memory', async () => {
  const as = await h.user();
  await run(
    h.db,
    `insert into two_factor_audit (user_id, action, client_ip, user_agent, success)
     select $1, 'verified', '203.0.113.7', 'a browser ' || n, true from generate_series(1, ${ROWS}) n`,
    [as.user_id],
  );
  await run(h.db, 'analyze two_factor_audit', []);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let [most, bytes, lines] = [0, 0, 0];
  const who = { user_id: as.user_id, made_at: h.clock.now().toISOString() };
  const text = Readable.from(writeExport(h.db, h.app.features.personData, who)).pipe(
    createGunzip(),
  );
  for await (const chunk of text as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    lines += chunk.toString('latin1').split('a browser').length - 1;
    most = Math.max(most, process.memoryUsage().rss);
  }
  // A word may be cut by the end of a chunk.
  expect(lines).toBeGreaterThan(ROWS * 0.95);
  expect(bytes).toBeGreaterThan(100 * MIB);
  expect(most - before).toBeLessThan(150 * MIB);
}, 300_000);
