import { statusBySettings } from '#kernel/provider-status.ts';
import type { ChainFamily, FamilySetup, OpenFamily } from '../family.ts';
import { xrplLedgerReferenceOf } from './journal.ts';
import { createXrplNetwork } from './network.ts';
import type { ManagedXrpl } from './port.ts';
import type { SandboxHelp } from './setup.ts';
import { signedXrpl } from './signed.ts';

export type XrplFamily = ManagedXrpl & OpenFamily;

/** The XRP Ledger: the configured one, or the sandbox's own, which is reached by the same protocol. */
export const xrplFamily: ChainFamily<'xrpl', XrplFamily, FamilySetup<SandboxHelp>> = {
  key: 'xrpl',
  open({ config, db, log }, { mnemonic, sandboxUrl, sandbox }) {
    const configured = config.XRPL_URL;
    const network = createXrplNetwork({
      db,
      log,
      mnemonic,
      url: () => configured ?? `${sandboxUrl().replace(/^http/, 'ws')}/xrpl`,
      ...(configured === undefined && { sandbox }),
    });
    return { ...network, members: [network.chain] };
  },
  statuses: (config) => ({ xrpl: statusBySettings(config, ['XRPL_URL']) }),
  calls: {
    local: [
      'hashOf',
      'referenceOf',
      'forgetOld',
      'forbids',
      'forbidden',
      'isOwn',
      'paymentFee',
      'chain',
      'members',
      'stop',
    ],
  },
  signed: signedXrpl,
  async referencesOf(db, hash) {
    const reference = await xrplLedgerReferenceOf(db, hash);
    return reference === undefined ? [] : [reference];
  },
};
