/** Ids, addresses and keys that examples of the document name. */
export const UUID = '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11';
export const ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
export const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
export const NONCE = '63dbc5a60bd1a5c6371f9bdc30cd01f1';
export const OF_MAIL = '3f9a41c07be24d5d8c1a6e0f2b7d9c54';
export const KEY = 'ak_3aa1a3f...a39f';
export const LOGIN_TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…';
