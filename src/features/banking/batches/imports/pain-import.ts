import { type AppError, fail, wrongField } from '#kernel/error.ts';
import { attributeAt, elementsOf, readXml, textAt, type XmlNode } from '#kernel/xml/xml.ts';
import type { SentRow } from '../typed-rows.ts';
import { type ImportedBatch, ROWS_MAX } from './imported.ts';

/** The reader leaves namespaces out. */
const NAMESPACE =
  /<(?:[\w.-]+:)?Document\s[^<>]*?["']urn:iso:std:iso:20022:tech:xsd:(pain\.001\.001\.(?:03|09))["']/;
const ID_MAX = 35;
const NOTE_MAX = 140;

const unreadable = (message: string): AppError =>
  fail('VALIDATION_ERROR', `The file is no pain.001: ${message}`);

/**
 * A customer's credit transfer (pain.001.001.03 or .09): one order of transfers. Throws VALIDATION_ERROR for what is
 * none, a document type or an entity, and AMOUNT_MISMATCH where its sums are not those of its transfers.
 */
export function readPainBatch(text: string): ImportedBatch {
  const document = readXml(text.replace(/^\ufeff/, ''));
  if (document === undefined)
    throw unreadable('it is not well formed, or declares a document type or entities');
  const [, name] = NAMESPACE.exec(text) ?? [];
  if (name === undefined) throw unreadable('its namespace is none of .03 and .09');
  const message = only(document, 'Document', 'CstmrCdtTrfInitn');
  const header = only(message, 'GrpHdr');
  const order = only(message, 'PmtInf');
  const method = textAt(order, 'PmtMtd');
  if (method !== 'TRF') throw wrongField('PmtMtd', 'must be TRF');
  const transfers = elementsOf(order, 'CdtTrfTxInf');
  if (transfers.length === 0) throw wrongField('CdtTrfTxInf', 'is required');
  if (transfers.length > ROWS_MAX)
    throw fail('VALIDATION_ERROR', `A batch has at most ${ROWS_MAX} rows`);
  const [message_id, order_id] = [idAt(header, 'MsgId'), idAt(order, 'PmtInfId')];
  requireSums(header, transfers, true);
  requireSums(order, transfers, false);
  return {
    rows: transfers.map(rowOf),
    name: message_id,
    source_wallet_id: walletOf(order),
    import_key: `${message_id}\n${order_id}\n${name}`,
    ...timeOf(order),
  };
}

function only(node: XmlNode | undefined, ...path: readonly string[]): XmlNode {
  const [found, second] = elementsOf(node, ...path);
  if (found && !second) return found;
  throw wrongField(String(path.at(-1)), 'must be there exactly once');
}

function idAt(node: XmlNode, name: string): string {
  const id = textAt(node, name);
  if (id === undefined || id.length > ID_MAX)
    throw wrongField(name, `must have 1 to ${ID_MAX} characters`);
  return id;
}

function walletOf(order: XmlNode): number {
  const id = textAt(order, 'DbtrAcct', 'Id', 'Othr', 'Id') ?? '';
  if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2_147_483_647)
    throw wrongField('DbtrAcct', 'must name the wallet that pays: Id/Othr/Id is its wallet_id');
  return Number(id);
}

/** A day is one in the time zone of the banks. */
function timeOf(order: XmlNode): Pick<ImportedBatch, 'day' | 'execute_at'> {
  const day = textAt(order, 'ReqdExctnDt', 'Dt') ?? textAt(order, 'ReqdExctnDt');
  if (day !== undefined) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
      throw wrongField('ReqdExctnDt', 'must be a day, such as 2026-11-30');
    return { day };
  }
  const moment = textAt(order, 'ReqdExctnDt', 'DtTm');
  if (moment === undefined) throw wrongField('ReqdExctnDt', 'is required');
  const at = new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(moment) ? moment : `${moment}Z`);
  if (Number.isNaN(+at)) throw wrongField('ReqdExctnDt', 'must be a date and time as in ISO 8601');
  return { execute_at: at.toISOString() };
}

const SCALE = 5;

/** In hundred thousandths; undefined where it is no amount. */
function scaled(text: string | undefined): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,5}))?$/.exec(text ?? '') ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(SCALE, '0'));
}

/** Rows without an amount have a fault of their own, and no sum can be right then. */
function requireSums(node: XmlNode, transfers: readonly XmlNode[], isCounted: boolean): void {
  const count = textAt(node, 'NbOfTxs');
  if (count === undefined && isCounted) throw wrongField('NbOfTxs', 'is required');
  if (count !== undefined && count !== String(transfers.length))
    throw mismatch('NbOfTxs', count, String(transfers.length));
  const control = textAt(node, 'CtrlSum');
  const amounts = transfers.map((one) => scaled(textAt(one, 'Amt', 'InstdAmt')));
  if (control === undefined || amounts.includes(undefined)) return;
  const sum = amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
  if (scaled(control) !== sum) throw mismatch('CtrlSum', control, plain(sum));
}

const plain = (units: bigint): string => {
  const digits = units.toString().padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
};

const mismatch = (field: string, given: string, found: string): AppError =>
  fail('AMOUNT_MISMATCH', `${field} is ${given}, and its transfers come to ${found}`, {
    details: { field, given, found },
  });

/** Of a transfer without a name. */
const NAMELESS = 'NOTPROVIDED';

function rowOf(transfer: XmlNode, at: number): SentRow {
  const reference = textAt(transfer, 'PmtId', 'EndToEndId');
  const notes = elementsOf(transfer, 'RmtInf', 'Ustrd').flatMap((one) => one['#text'] ?? []);
  const currency = attributeAt(transfer, 'Ccy', 'Amt', 'InstdAmt');
  const country =
    textAt(transfer, 'CdtrAgt', 'FinInstnId', 'PstlAdr', 'Ctry') ??
    textAt(transfer, 'Cdtr', 'PstlAdr', 'Ctry');
  return {
    line: at + 1,
    amount: textAt(transfer, 'Amt', 'InstdAmt'),
    currency: currency ?? '',
    ...(reference !== undefined && reference !== NAMELESS && { reference }),
    ...(notes.length > 0 && { note: notes.join(' ').slice(0, NOTE_MAX) }),
    recipient: {
      kind: 'bank',
      name: textAt(transfer, 'Cdtr', 'Nm'),
      country,
      currency,
      details: { bank_code: bankOf(transfer), account_number: accountOf(transfer) },
    },
  };
}

/** A BIC, or the number of the bank in its country. */
const bankOf = (transfer: XmlNode): string | undefined => {
  const agent = ['CdtrAgt', 'FinInstnId'] as const;
  return (
    textAt(transfer, ...agent, 'ClrSysMmbId', 'MmbId') ??
    textAt(transfer, ...agent, 'BICFI') ??
    textAt(transfer, ...agent, 'BIC') ??
    textAt(transfer, ...agent, 'Othr', 'Id')
  );
};

const accountOf = (transfer: XmlNode): string | undefined =>
  textAt(transfer, 'CdtrAcct', 'Id', 'Othr', 'Id') ?? textAt(transfer, 'CdtrAcct', 'Id', 'IBAN');
