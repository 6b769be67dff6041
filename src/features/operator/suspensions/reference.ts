import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const STOPS_WORDS: FeatureWords = {
  titles: {
    'clients.letIn': 'Let a client in again',
    'admins.stopUser': 'Suspend a user',
    'admins.letUserIn': 'Reinstate a user',
    'clients.stop': 'Suspend a client',
  },
  descriptions: {
    'clients.stop':
      'Only an admin of the operator may call it. From now on all keys and log-ins of the client answer 403 `ACCOUNT_NOT_ACTIVE`, and its webhooks wait. Jobs and payments that have begun are finished. Changes of accounts that its admins had proposed are void, also once it is let in again: `left` lists them. A client that is stopped already is answered the same way; `client.stopped` follows.',
    'clients.letIn':
      'Only an admin of the operator may call it. The client has the status that it had before, and its webhooks go on where they stopped. `client.let_in` follows.',
    'admins.stopUser':
      'An admin stops people of the own client, the operator everybody; an admin cannot stop the own account. All open sessions of the person end, every log-in answers 403 `ACCOUNT_NOT_ACTIVE`, and payments that have begun are finished. Changes and corrections that the person had ordered or proposed are void, webhook endpoints that the person made are paused, and keys of the person go on for the client’s application: `left` lists all of them. `user.stopped` follows.',
    'admins.letUserIn':
      'An admin reinstates users whom an admin of the client has suspended; the operator reinstates all. The user gets the status of before and has to log in again. `user.let_in` follows.',
    'fiatWallets.freeze':
      'An admin freezes wallets of the own client’s users, the operator all. Money still comes in; payments out of it answer 403 `WALLET_FROZEN` and move nothing. Money that was held before is still paid. `wallet.frozen` follows.',
    'fiatWallets.unfreeze':
      'An admin releases wallets that an admin of the client has frozen, the operator all. The whole balance can be spent again. `wallet.unfrozen` follows.',
  },
  places: {
    'LeftByClient.kind': 'email',
    'LeftByUser.kind': 'email',
    'LeftByUser.status': 'active',
  },
};
