import type { Finding, FindingKind } from '../checks/findings.ts';
import type { World } from '../checks/world.ts';
import type { ClientDeps } from '../clients/client.ts';
import type { Mode } from '../plan/plan.ts';
import { compare } from './compare.ts';
import { bookControls, keyControls } from './controls-of-books.ts';
import {
  chargeBackControls,
  latePaymentControls,
  paidOnControls,
  stopControls,
} from './controls-of-extras.ts';
import { moneyControls } from './controls-of-money.ts';
import { cardanoControls, rupiahControls, xrplControls } from './controls-of-rails.ts';
import { chainControls, serviceControls } from './controls-of-service.ts';
import {
  bankControls,
  conversionControls,
  shoppingControls,
  webhookControls,
} from './controls-of-shopping.ts';

/** A deliberate fault that the comparison has to find. */
export interface Control {
  readonly name: string;
  /** The mode in which it can spoil something; both if absent. */
  readonly mode?: Mode;
  spoil(place: Spoiling): Promise<unknown>;
  /** The place and the kind of its finding. */
  readonly finds: FindingKind;
  readonly where: RegExp;
  /** Its detector, if not the comparison. */
  look?(place: Spoiling): Promise<Finding[]> | Finding[];
}

export interface Spoiling {
  readonly world: World;
  readonly deps: ClientDeps;
  /** Processes that belong to the service's folder and are never ended. */
  readonly strays: number[];
  /** One statement as superuser, without triggers and grants. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export const CONTROLS: readonly Control[] = [
  ...bookControls,
  ...moneyControls,
  ...stopControls,
  ...chargeBackControls,
  ...latePaymentControls,
  ...paidOnControls,
  ...chainControls,
  ...cardanoControls,
  ...xrplControls,
  ...rupiahControls,
  ...bankControls,
  ...conversionControls,
  ...shoppingControls,
  ...webhookControls,
  ...serviceControls,
  ...keyControls,
];

export interface Tried {
  readonly name: string;
  readonly isCaught: boolean;
}

/** Spoils one thing after another and checks that it is found. The world is unusable afterwards. */
export async function tryControls(place: Spoiling, names: readonly string[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  let known = new Set((await compare(place.world)).map(nameOf));
  for (const { name, mode, spoil, finds, where, look } of CONTROLS) {
    if (!names.includes(name) || (mode ?? place.world.mode) !== place.world.mode) continue;
    await spoil(place);
    const found = look ? await look(place) : await compare(place.world);
    const isCaught = found.some(
      (one) => one.kind === finds && where.test(one.where) && !known.has(nameOf(one)),
    );
    tried.push({ name, isCaught });
    known = new Set([...known, ...found.map(nameOf)]);
  }
  return tried;
}

/** Whether the processes left by a control were found at the end. */
export function triedStrays(strays: readonly number[], left: readonly Finding[]): Tried[] {
  if (strays.length === 0) return [];
  return [{ name: 'left-over', isCaught: left.length === strays.length }];
}

const nameOf = (finding: Finding): string => JSON.stringify(finding);
