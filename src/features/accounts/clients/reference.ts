import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const CLIENTS_WORDS: FeatureWords = {
  tags: {
    clients: {
      group: 'Start',
      text: 'The organisations that use the platform, each with an admin, who gets a password by mail.',
    },
  },
  descriptions: {
    'clients.create':
      'Any API key may call it. It makes the client, its admin and the admin’s first wallet in one step, and mails the admin a password and a link to confirm the address. The client is `PENDING` until the operator or the verification of the company makes it `ACTIVE`; its admin can log in at once. `client.created` and `user.created` follow.',
    'clients.list': 'An admin sees the own client; an admin of the operator sees all clients.',
  },
  places: {
    'PspCustomerState.status': 'ACTIVE',
  },
};
