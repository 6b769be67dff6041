/** Rules of the outputs, which the node reports inside of those of the witnesses. */
const isOfOutputs = (rule: string) => rule.endsWith('UTxO') || rule.startsWith('WrongNetwork');

const failureOf = (rule: string): string =>
  isOfOutputs(rule) ? `ConwayUtxowFailure (UtxoFailure (${rule}))` : `ConwayUtxowFailure (${rule})`;

/**
 * The node's whole answer, as Blockfrost hands it on in `message`. A node lists every rule that is broken: where an
 * input is not there, its coins are not either, and that comes first.
 */
export function nodeRefusal(rule: string): string {
  if (rule.startsWith('DecoderFailure'))
    return `transaction read error RawCborDecodeError [${rule}]`;
  const rules = rule === 'BadInputsUTxO' ? [`ValueNotConservedUTxO ${MISMATCH}`, rule] : [rule];
  const error = rules.map((each) => failureOf(each));
  const failure = { era: 'ShelleyBasedEraConway', error, kind: 'ShelleyTxValidationError' };
  const mode = { contents: failure, tag: 'TxValidationErrorInCardanoMode' };
  const command = { contents: mode, tag: 'TxCmdTxSubmitValidationError' };
  return JSON.stringify({ contents: command, tag: 'TxSubmitFail' });
}

const MISMATCH =
  '(Mismatch {mismatchSupplied = MaryValue (Coin 0) (MultiAsset (fromList [])), mismatchExpected = MaryValue (Coin 1) (MultiAsset (fromList []))})';
