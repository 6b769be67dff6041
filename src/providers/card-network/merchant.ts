import { FIRST_TERMINAL, type Merchant } from './port.ts';

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

/** The network's ids of our terminals: the first is the merchant's, the others count on from it. */
export const terminalIdOf = ({ terminalId }: Merchant, terminal: number): string =>
  terminal === FIRST_TERMINAL
    ? terminalId
    : `${terminalId.slice(0, -DIGITS)}${terminal.toString().padStart(DIGITS, '0')}`;

/** Undefined if it is not one of ours. */
export function terminalOf(merchant: Merchant, id: string): number | undefined {
  const terminal = id === merchant.terminalId ? FIRST_TERMINAL : Number(id.slice(-DIGITS));
  return terminal > 0 && terminalIdOf(merchant, terminal) === id ? terminal : undefined;
}

const DIGITS = 3;
