import { codeTable } from '../code-table.ts';

/** `done` moved the money, `refused` moved none; after `unknown` a look-up or people must decide. */
type ActionMeaning = 'done' | 'refused' | 'unknown';

export const APPROVED = '00';
export const DUPLICATE = '94';

const refusals = (...codes: string[]): Record<string, 'refused'> =>
  Object.fromEntries(codes.map((code) => [code, 'refused' as const]));

/** The action codes of the network's answers, which are those of ISO 8583. */
export const ACTION_CODES = codeTable<ActionMeaning>({
  source: 'https://developer.visa.com/request_response_codes (actionCode)',
  read: null,
  meanings: {
    [APPROVED]: 'done',
    /** Approved on a condition, in part, in another way: how much has moved is not said. */
    '08': 'unknown',
    '10': 'unknown',
    '11': 'unknown',
    /** Not declined, but not approved either. */
    '85': 'unknown',
    /** The issuer answered too late, so the network does not know it itself. */
    '68': 'unknown',
    /** The issuer or the switch is away: it may have decided before. */
    '91': 'unknown',
    '96': 'unknown',
    // Refer to the issuer, merchant, retained cards, PIN.
    ...refusals('01', '02', '03', '04', '05', '06', '07', '38', '41', '43', '55', '75', '86'),
    // The transaction, its amount, its card, its issuer.
    ...refusals('12', '13', '14', '15', '19', '21', '25', '28', '39', '46', '52', '53', '54'),
    // Funds, limits, what the card or we may do, fraud and law.
    ...refusals('51', '57', '58', '59', '61', '62', '63', '64', '65', '70', '78', '79', '80'),
    ...refusals('81', '82', '83', '84', '89', '92', '93', '97'),
    ...refusals('1A', '6P', 'N3', 'N4', 'N7', 'N8', 'P5', 'P6', 'Q1', 'R0', 'R1', 'R2', 'R3', 'Z3'),
    [DUPLICATE]: 'refused',
  },
});

/** Those that a caller can act on; the others are a plain decline. */
export const ACTION_REASONS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  '12': ['DECLINED', 'The card does not allow this transaction'],
  '13': ['INVALID_AMOUNT', 'The amount is not allowed'],
  '14': ['INVALID_CARD', 'The card number is not valid'],
  '21': ['ALREADY_REVERSED', 'The transaction was reversed before'],
  '25': ['ORIGINAL_NOT_FOUND', 'The original transaction was not found'],
  '51': ['INSUFFICIENT_FUNDS', 'The card has insufficient funds'],
  '54': ['EXPIRED_CARD', 'The card has expired'],
  [DUPLICATE]: ['DUPLICATE', 'Another transaction has the same reference'],
};
