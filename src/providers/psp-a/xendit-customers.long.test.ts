// Long: it loads the provider's own library.

import { expect, test } from 'vitest';
import { Xendit } from 'xendit-node';
import { pspASimulator } from '#sandbox/providers/psp-a/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const KEY = 'test-customers-key';
const customers = await testSandbox(pspASimulator({ PSP_A_KEY: KEY }));

test('xendit-node makes and reads a customer', async () => {
  const { Customer } = new Xendit({
    secretKey: KEY,
    xenditURL: `${customers.url}/psp-a`,
  });
  const made = await Customer.createCustomer({
    data: {
      referenceId: 'user-1',
      type: 'INDIVIDUAL',
      individualDetail: { givenNames: 'Siti' },
      email: 'siti@example.com',
    },
  });
  const { data } = await Customer.getCustomerByReferenceID({ referenceId: 'user-1' });
  expect(data?.[0]).toMatchObject({ id: made.id, addresses: null });
});
