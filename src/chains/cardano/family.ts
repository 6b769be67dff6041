import { usesSandbox } from '#kernel/config/config.ts';
import { statusBySettings } from '#kernel/provider-status.ts';
import type { ChainFamily, FamilySetup, OpenFamily } from '../family.ts';
import { cardanoReferenceOf } from './named.ts';
import { createCardanoNetwork } from './network.ts';
import type { ManagedCardano } from './port.ts';
import { signedCardano } from './signed.ts';

export type CardanoFamily = ManagedCardano & OpenFamily;

/** Cardano: Blockfrost's test network where one is configured, else the sandbox's own ledger. */
export const cardanoFamily: ChainFamily<'cardano', CardanoFamily, FamilySetup> = {
  key: 'cardano',
  open(kernel, { mnemonic, sandboxUrl }) {
    const { config, db, clock, log } = kernel;
    const { CARDANO_URL, CARDANO_PROJECT_ID: projectId, CARDANO_CONFIRMATIONS } = config;
    const network = createCardanoNetwork({
      db,
      clock,
      log,
      mnemonic,
      url: () => CARDANO_URL ?? `${sandboxUrl()}/cardano`,
      projectId,
      isSandbox: CARDANO_URL === undefined && usesSandbox(config),
      isConfigured: cardanoFamily.statuses(config).cardano.state !== 'not configured',
      confirmations: CARDANO_CONFIRMATIONS,
    });
    return { ...network, members: [network.chain], stop: async () => undefined };
  },
  statuses: (config) => ({
    cardano: statusBySettings(config, ['CARDANO_URL', 'CARDANO_PROJECT_ID']),
  }),
  calls: {
    acts: ['send'],
    local: [
      'isConfigured',
      'network',
      'identity',
      'typedAddress',
      'costOf',
      'listen',
      'monitorOpen',
      'forgetOld',
      'forbids',
      'forbidden',
      'chain',
      'members',
      'stop',
    ],
  },
  signed: signedCardano,
  async referencesOf(db, hash) {
    const reference = await cardanoReferenceOf(db, hash);
    return reference === undefined ? [] : [reference];
  },
};
