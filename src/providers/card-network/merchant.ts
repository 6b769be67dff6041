import type { Merchant } from './port.ts';

export const MERCHANT: Merchant = {
  name: 'Archipay',
  terminalId: 'ARCHI001',
  idCode: 'ARCHIPAY0000001',
  address: {
    street: '1 Market Street',
    city: 'San Francisco',
    state: 'CA',
    postalCode: '94105',
    country: 'US',
  },
};
