import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FINDING_KINDS } from '../chaos/checks/findings.ts';
import { match } from '../chaos/checks/match.ts';
import { createMember } from '../chaos/fleet/member.ts';
import { freePorts } from '../chaos/fleet/ports.ts';
import { BLOW_KINDS, planRun } from '../chaos/plan/plan.ts';
import { CONTROLS } from '../chaos/run/controls.ts';

describe('the plan', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(planRun(7)).toEqual(planRun(7));
    expect(planRun(8)).not.toEqual({ ...planRun(7), seed: 8 });
  });

  test('keeps its workload and its other blows when kinds of blows are left out', () => {
    const whole = planRun(7);
    const part = planRun(7, { kinds: ['kill-node', 'fault'] });
    const kept = whole.blows.filter(({ kind }) => kind === 'kill-node' || kind === 'fault');
    expect(part).toEqual({ ...whole, blows: kept });
    expect(kept.length).toBeLessThan(whole.blows.length);
  });

  test('holds every kind of blow, mode and fleet within a few seeds', () => {
    const plans = Array.from({ length: 30 }, (_, seed) => planRun(seed));
    const kinds = new Set(plans.flatMap(({ blows }) => blows.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual([...BLOW_KINDS].sort());
    expect(new Set(plans.map(({ mode, fleet }) => `${mode} ${fleet}`)).size).toBe(4);
  });

  test('has no amount, receiver, phone or name twice, so operations are recognisable', () => {
    for (const seed of [1, 2, 3]) {
      const flows = planRun(seed).clients.flat();
      const marks = flows.flatMap((flow) => {
        if (flow.kind === 'top-up') return [`in ${flow.cents}`, `back ${flow.refund ?? flow.name}`];
        if (flow.kind === 'push') return [`out ${flow.cents}`];
        if (flow.kind === 'member') return [flow.phone];
        if (flow.kind === 'correction') return [`corrected ${flow.cents}`];
        if (flow.kind === 'conversion') return [`converted ${flow.rupiah}`];
        if (flow.kind === 'bank-top-up') return [`from a bank ${flow.cents}`];
        if (flow.kind === 'purchase') return [`bought ${flow.cents}`];
        return 'to' in flow ? [flow.to] : [flow.name];
      });
      expect(new Set(marks).size).toBe(marks.length);
    }
  });
});

describe('the runs of every change', () => {
  test('have flows of every kind, so that each control has something to spoil', () => {
    const kindsOf = (seed: number) =>
      new Set(planRun(seed).clients.flatMap((flows) => flows.map(({ kind }) => kind)));
    const all = new Set(Array.from({ length: 30 }, (_, seed) => [...kindsOf(seed)]).flat());
    for (const seed of [1, 508]) expect([...kindsOf(seed)].sort()).toEqual([...all].sort());
  });

  test('let each user talk to the agent once, and no user shared by clients', () => {
    const clients = planRun(1).clients;
    const talks = clients.flat().filter(({ kind }) => kind === 'talk');
    const users = talks.map(({ user }) => user);
    expect(new Set(users).size).toBe(users.length);
    for (const user of users)
      expect(clients.filter(([first]) => first?.user === user)).toHaveLength(1);
  });
});

describe('findings', () => {
  test('are missing, duplicate and unrequested operations', () => {
    const expected = ['a', 'b', 'c'].map((name) => ({ name, key: `key of ${name}` }));
    expect(match('list', expected, ['c', 'a', 'b'])).toEqual([]);
    expect(match('list', expected, ['a', 'b', 'b', 'd'])).toMatchObject([
      { kind: 'doubled', what: 'b: 2 times, not 1', keys: ['key of b'] },
      { kind: 'lost', what: 'c: 0 times, not 1', keys: ['key of c'] },
      { kind: 'unasked', what: 'd: 1 times, not 0', keys: [] },
    ]);
  });

  test('have a control of their kind, except those tested below', () => {
    const controlled = new Set<string>(CONTROLS.map(({ finds }) => finds));
    // The control of second nodes leaves processes behind.
    const others = ['left-over', 'start', 'ended', 'stop', 'broken-off'];
    expect(FINDING_KINDS.filter((kind) => !controlled.has(kind)).sort()).toEqual(others.sort());
  });
});

describe.runIf(process.platform === 'linux')('processes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archipay-chaos-member-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A process that reports ready, with its behaviour before and at its end. */
  async function standIn(first: string, last: string) {
    const script = join(folder, `${crypto.randomUUID()}.mjs`);
    await writeFile(
      script,
      `import { createServer } from 'node:http';
       import { existsSync, writeFileSync } from 'node:fs';
       ${first}
       process.on('SIGTERM', () => { ${last} });
       createServer((_, reply) => reply.end()).listen(process.env.PORT, '127.0.0.1');`,
    );
    const [port = 0] = await freePorts(1);
    const reports: string[] = [];
    const env = { PORT: String(port) };
    const logPath = `${script}.log`;
    const report = (what: string) => void reports.push(what);
    const member = createMember({ number: 0, role: 'all', port, env, script, logPath, report });
    return { member, reports };
  }

  test('that obey are not reported', async () => {
    const { member, reports } = await standIn('', 'process.exit(0)');
    await member.start();
    const before = member.pid();
    await member.restart('SIGKILL', 0);
    expect(member.pid()).not.toBe(before);
    await member.restart('SIGTERM', 0);
    await member.stop();
    expect([member.pid(), reports]).toEqual([undefined, []]);
  });

  test('that end by themselves are reported and started again', async () => {
    const { member, reports } = await standIn('', 'process.exit(0)');
    await member.start();
    process.kill(member.pid() ?? 0, 'SIGKILL');
    await expect.poll(() => reports).toEqual(['ended']);
    await member.settled();
    expect(await member.isReady()).toBe(true);
    await member.stop();
  });

  test('that end instead of starting are reported and started again', async () => {
    const once = "if (!existsSync('begun')) { writeFileSync('begun', ''); process.exit(1); }";
    const begun = join(folder, 'begun');
    const { member, reports } = await standIn(
      once.replaceAll("'begun'", `'${begun}'`),
      'process.exit(0)',
    );
    await member.start();
    expect(reports).toEqual(['start']);
    await member.stop();
  });

  test('that do not end well are reported', async () => {
    const { member, reports } = await standIn('', 'process.exit(1)');
    await member.start();
    await member.stop();
    expect(reports).toEqual(['stop']);
  });
});
