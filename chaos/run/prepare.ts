import type { Hook } from '../checks/world.ts';
import { fieldOf, firstOf, listOf, textOf } from '../clients/answer.ts';
import { type Call, logInAdmin, makeCorrectors, makePeople } from '../clients/cast.ts';
import type { ClientDeps } from '../clients/client.ts';
import { elsewhereAt, lookAt, onceElsewhereFrom, publicTokensFrom } from '../clients/elsewhere.ts';
import { inviteGuests } from '../clients/guests.ts';
import { type Scene, topUpFirst } from '../clients/play.ts';
import { nameSavings } from '../clients/play-conversion.ts';
import { burnAhead } from '../clients/play-rupiah.ts';
import { openOutside } from '../clients/play-xrpl.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Plan } from '../plan/plan.ts';
import { SHOPS, type Shop } from '../plan/workload.ts';
import { nudge, wordOf } from './blows.ts';
import { patiently } from './settle.ts';

/** The parts that set the scene. */
interface Setting {
  readonly plan: Plan;
  readonly fleet: Fleet;
  readonly deps: ClientDeps;
  readonly api: Call;
  readonly sandbox: Call;
}

/** Creates all users, with initial balances, and a receiver of all events. */
export async function prepare(
  setting: Setting,
): Promise<{ readonly scene: Scene; readonly hook: Hook }> {
  const { plan, fleet, deps, api, sandbox } = setting;
  const { seed, mode } = plan;
  const isLive = mode === 'live';
  const admin = await logInAdmin(api);
  const hook = await makeHook(setting, admin.token);
  const people = await makePeople(seed, admin.token, api, sandbox);
  const elsewhere = elsewhereAt(() => fleet.sandbox);
  const first = () => firstOf(deps.servers);
  const correctors = await makeCorrectors(seed, api);
  const flows = plan.clients.flat();
  const scene: Scene = {
    seed,
    isLive,
    people,
    elsewhere,
    admin: admin.token,
    correctors,
    desk: new Map(),
    look: lookAt(deps),
    guests: await inviteGuests({ seed, operator: correctors[0], api }, flows),
    burns: await burnAhead(flows, people, sandbox),
    onceElsewhere: onceElsewhereFrom(elsewhere),
    publicToken: publicTokensFrom(elsewhere),
    // The service reads the sandbox's pages under this name.
    lamp: (cents) => `${fleet.sandbox.replace('127.0.0.1', 'localhost')}/shop/lamps/${cents}`,
    nudge: (path) => nudge(first(), path, deps.apiKey, admin.token),
    goods: await findGoods(api),
    usdc: textOf(listOf(await sandbox('GET /chains'), '')[0], 'usdc'),
    word: (identifier) => wordOf(fleet, first(), isLive, identifier),
    ask: patiently(deps, deps.now()),
  };
  await openOutside(seed, sandbox);
  await Promise.all(scene.people.map((_, user) => topUpFirst(scene, user)));
  await nameSavings(scene, flows);
  return { scene, hook };
}

const CONCURRENCY = 16;

async function makeHook({ plan, fleet, api, sandbox }: Setting, token: string): Promise<Hook> {
  const box = `chaos-${plan.seed}`;
  const made = await api('POST /webhook-endpoints', {
    token,
    body: { url: `${fleet.sandbox}/receiver/${box}`, types: ['*'], concurrency: CONCURRENCY },
  });
  const [endpoint_id, secret] = [textOf(made, 'data.endpoint_id'), textOf(made, 'data.secret')];
  await sandbox('POST /receiver-settings', { body: { box, secret } });
  return { endpoint_id, secret, box };
}

/** The first that a search finds, in each marketplace. */
async function findGoods(api: Call): Promise<Scene['goods']> {
  const found = await Promise.all(
    SHOPS.map(async (shop): Promise<readonly [Shop, object]> => {
      const body = { query: 'batik', sources: [shop] };
      const products = listOf(await api('POST /marketplace/search', { body }), 'products');
      const product = products.find((one) => fieldOf(one, 'source') === shop);
      if (typeof product !== 'object' || product === null)
        throw new Error(`${shop} has no batik for sale`);
      return [shop, product];
    }),
  );
  return Object.fromEntries(found) as Record<Shop, object>;
}
