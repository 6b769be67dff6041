/** The code of a transaction that spends what the node does not have: it may be ahead of the one that makes it. */
export const INPUTS_MISSING = 'INPUTS_MISSING';

/**
 * A node tells of every rule that a transaction breaks, and of missing coins before the missing input, so that the
 * whole text counts. Since Conway one whose inputs are all spent has a text of its own.
 */
export const ledgerRefusal = (message: string): typeof INPUTS_MISSING | 'REJECTED' =>
  /BadInputs|All inputs are spent/.test(message) ? INPUTS_MISSING : 'REJECTED';
