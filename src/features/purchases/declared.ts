/** What an order is refused for. */
export const ORDER_ERRORS = [
  'PRICE_UNREADABLE',
  '400 PRICE_CHANGED',
  'INSUFFICIENT_BALANCE',
  'PROVIDER_UNAVAILABLE',
] as const;
/** What a payment is refused for. */
export const EXECUTE_ERRORS = [
  'NOT_FOUND',
  'CONFIRMATION_REQUIRED',
  'INVALID_STATUS',
  'WALLET_NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_FUNDS',
  'PROVIDER_REJECTED',
  'PROVIDER_UNAVAILABLE',
] as const;
