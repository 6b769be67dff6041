import { type Embedded, embeddedDir, startEmbedded } from '#embedded/embedded.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { readChains } from '../checks/chains.ts';
import type { Finding } from '../checks/findings.ts';
import { checkNodes } from '../checks/service.ts';
import type { World } from '../checks/world.ts';
import { firstOf } from '../clients/answer.ts';
import { caller } from '../clients/cast.ts';
import { asking, type ClientDeps, IN_THE_STORM, Open } from '../clients/client.ts';
import { play, type Scene } from '../clients/play.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Plan } from '../plan/plan.ts';
import type { Flow } from '../plan/workload.ts';
import { deal, heal } from './blows.ts';
import { compare } from './compare.ts';
import { type Tried, tryControls } from './controls.ts';
import { prepare } from './prepare.ts';
import {
  askAllAgain,
  becomeQuiet,
  lateKeys,
  openEntries,
  patiently,
  playAll,
  wrongRefusals,
} from './settle.ts';

/** The parts of a run. */
export interface Stage {
  readonly plan: Plan;
  readonly fleet: Fleet;
  readonly deps: ClientDeps;
  readonly findings: Finding[];
  /** Processes that the controls have left behind. */
  readonly strays: number[];
  note(what: string): void;
}

/** Prepares, runs clients and violence at the same time, repairs everything and compares. */
export async function act(stage: Stage, controls: readonly string[]): Promise<readonly Tried[]> {
  const { plan, fleet, deps, note } = stage;
  const api = caller(() => firstOf(deps.servers).api());
  const sandbox = caller(() => fleet.sandbox);
  note('prepare');
  const { scene, hook } = await prepare({ plan, fleet, deps, api, sandbox });
  const { people } = scene;
  const before = await readChains({ sandbox, people, books: deps.books });

  note('storm');
  await storm(plan, fleet, { ...scene, ask: asking(deps, IN_THE_STORM) }, note);
  note('heal');
  await heal(fleet);
  await sandbox('DELETE /faults');

  const server = await startEmbedded({ dir: embeddedDir(fleet.folder) });
  const own = openDatabase(server.url, { max: 4 });
  try {
    const { mode, seed } = plan;
    const seen = {
      books: deps.books,
      people,
      guests: scene.guests,
      operator: scene.correctors[0].token,
      mode,
      seed,
      folder: fleet.folder,
      api,
      sandbox,
      before,
      hook,
    };
    return await judge(stage, scene, { ...seen, db: own.db }, adminUrlOf(server), controls);
  } finally {
    await own.close();
    await server.stop();
  }
}

/** The service's own database, as superuser. */
function adminUrlOf({ url, adminUrl }: Embedded): string {
  const address = new URL(adminUrl);
  address.pathname = new URL(url).pathname;
  return address.href;
}

/** Repeats all open requests, moves time, repeats everything and compares. */
async function judge(
  { plan, deps, findings, strays, note }: Stage,
  scene: Scene,
  world: World,
  adminUrl: string,
  controls: readonly string[],
): Promise<readonly Tried[]> {
  const { db, sandbox } = world;
  const healedAt = deps.now();
  findings.push(...checkNodes(world));
  note('ask again');
  const patient: Scene = { ...scene, ask: patiently(deps, healedAt) };
  const people = () => goOn(plan, patient, note);
  await people();
  findings.push(...lateKeys(deps, healedAt));
  note('time goes by');
  await becomeQuiet({ db, sandbox, people, note });
  note('ask for the last time');
  await people();
  // Hours have passed, and a repeated approval needs a fresh log-in like the first.
  await Promise.all(scene.correctors.map((one) => one.prove()));
  findings.push(...openEntries(deps), ...wrongRefusals(deps), ...(await askAllAgain(deps)));
  findings.push(...(await becomeQuiet({ db, sandbox, people, note })));
  note('compare');
  findings.push(...(await compare(world)));
  if (controls.length === 0 || findings.length > 0) return [];
  note('controls');
  const admin = openDatabase(adminUrl, { max: 1 });
  try {
    await run(admin.db, `set session_replication_role = 'replica'`, []);
    const sql = (text: string, values: readonly unknown[] = []) =>
      run<Record<string, unknown>>(admin.db, text, values);
    return await tryControls({ world, deps, sql, strays }, controls);
  } finally {
    await admin.close();
  }
}

/** All clients at once, and every blow with the beginning of the flow that it is planned for. */
async function storm(
  { clients, blows }: Plan,
  fleet: Fleet,
  scene: Scene,
  note: (what: string) => void,
): Promise<void> {
  const beginnings = clients.flat().map(() => Promise.withResolvers<void>());
  let begun = 0;
  const begins = () => {
    beginnings[begun]?.resolve();
    begun += 1;
  };
  const struck = blows.map(async (blow) => {
    await beginnings[blow.at]?.promise;
    note(JSON.stringify(blow));
    await deal(fleet, blow);
    note(`over: ${JSON.stringify(blow)}`);
  });
  const go = (flow: Flow) => play(scene, flow);
  await Promise.all([...clients.map((flows) => playAll(flows, go, begins)), ...struck]);
}

/** Continues the clients' open flows; finished requests are not repeated. */
async function goOn({ clients }: Plan, scene: Scene, note: (what: string) => void): Promise<void> {
  const go = (flow: Flow) =>
    play(scene, flow).catch((error: unknown) => {
      if (error instanceof Open) note(`${flow.kind} ${flow.name} is left open: ${error.message}`);
      throw error;
    });
  await Promise.all(clients.map((flows) => playAll(flows, go)));
}
