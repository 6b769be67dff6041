/** The kind of operation that policies take each for; a top-up comes in, and none is asked about it. */
export const CARD_KINDS = { PUSH: 'withdrawal', REFUND: 'refund', TOPUP: undefined } as const;
