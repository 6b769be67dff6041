import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** A payment of a pain.001, as far as this bank looks at it. */
export interface Instructed {
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly debtorAccount: string;
  readonly executionDay: string;
  readonly creditor: { readonly name: string; readonly account: string; readonly agent: string };
  readonly note: string;
}

export interface Pain001 {
  readonly messageId: string;
  readonly count: string;
  readonly sum: string | undefined;
  readonly payments: readonly Instructed[];
}

type Element = { readonly [name: string]: unknown };

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const LISTS = ['PmtInf', 'CdtTrfTxInf', 'Ustrd'];
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => LISTS.includes(name),
});

/** What was sent; undefined where it is no pain.001.001.09 with the elements that the message's definition requires. */
export function readPain001(xml: string): Pain001 | undefined {
  if (/<!DOCTYPE/i.test(xml) || XMLValidator.validate(xml) !== true) return undefined;
  const document = below(parser.parse(xml), 'Document');
  const root = below(document, 'CstmrCdtTrfInitn');
  const messageId = wordAt(root, 'GrpHdr', 'MsgId');
  const count = wordAt(root, 'GrpHdr', 'NbOfTxs');
  if (document?.['@xmlns'] !== NAMESPACE || root === undefined) return undefined;
  if (messageId === undefined || count === undefined || messageId.length > 35) return undefined;
  const payments = listAt(root, 'PmtInf').flatMap((order) =>
    listAt(order, 'CdtTrfTxInf').map((one) => instructed(order, one)),
  );
  if (payments.length === 0 || payments.includes(undefined)) return undefined;
  const sum = wordAt(root, 'GrpHdr', 'CtrlSum');
  return { messageId, count, sum, payments: payments as Instructed[] };
}

function instructed(order: Element, one: Element): Instructed | undefined {
  const found = {
    endToEndId: wordAt(one, 'PmtId', 'EndToEndId'),
    instructionId: wordAt(one, 'PmtId', 'InstrId') ?? '',
    orderId: wordAt(order, 'PmtInfId'),
    amount: wordAt(one, 'Amt', 'InstdAmt'),
    currency: wordAt(one, 'Amt', 'InstdAmt', '@Ccy'),
    debtorAccount:
      wordAt(order, 'DbtrAcct', 'Id', 'Othr', 'Id') ?? wordAt(order, 'DbtrAcct', 'Id', 'IBAN'),
    executionDay:
      wordAt(order, 'ReqdExctnDt', 'Dt') ?? wordAt(order, 'ReqdExctnDt', 'DtTm')?.slice(0, 10),
    note: String(listOf(below(one, 'RmtInf')?.['Ustrd'])[0] ?? ''),
  };
  const creditor = {
    name: wordAt(one, 'Cdtr', 'Nm'),
    account: wordAt(one, 'CdtrAcct', 'Id', 'Othr', 'Id') ?? wordAt(one, 'CdtrAcct', 'Id', 'IBAN'),
    agent: agentOf(below(one, 'CdtrAgt', 'FinInstnId')),
  };
  const isWhole = [...Object.values(found), ...Object.values(creditor)].every(
    (value) => value !== undefined,
  );
  const isTransfer = wordAt(order, 'PmtMtd') === 'TRF' && wordAt(order, 'Dbtr', 'Nm') !== undefined;
  const payment = { ...found, creditor } as Instructed;
  return isWhole && isTransfer && payment.endToEndId.length <= 35 ? payment : undefined;
}

/** A BIC, or `system:member`. */
function agentOf(agent: Element | undefined): string | undefined {
  const bic = wordAt(agent, 'BICFI');
  const system = wordAt(agent, 'ClrSysMmbId', 'ClrSysId', 'Cd');
  const member = wordAt(agent, 'ClrSysMmbId', 'MmbId');
  return bic ?? (system && member && `${system}:${member}`);
}

function below(element: unknown, ...path: readonly string[]): Element | undefined {
  let found: unknown = element;
  for (const name of path) found = (found as Element | undefined)?.[name];
  return typeof found === 'object' && found !== null ? (found as Element) : undefined;
}

/** The text of an element or attribute. */
function wordAt(element: unknown, ...path: readonly string[]): string | undefined {
  let found: unknown = element;
  for (const name of path) found = (found as Element | undefined)?.[name];
  if (typeof found === 'object' && found !== null) found = (found as Element)['#text'];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());
const listAt = (element: Element, name: string): Element[] =>
  listOf(element[name]).filter((one): one is Element => typeof one === 'object' && one !== null);
