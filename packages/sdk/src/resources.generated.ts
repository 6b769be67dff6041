// Made from the OpenAPI document by `npm run generate`.
import type { ApiPromise, CallOptions, Reply } from './call.ts';
import { Caller } from './caller.ts';
import type { PagePromise } from './page.ts';
import type { EventStream, StreamOptions } from './stream.ts';
import { Resource } from './resource.ts';
import type * as T from './types.generated.ts';

export class Keys extends Resource {
  /**
   * Generate key
   *
   * Creates an API key that belongs to no user.
   *
   * Anybody may call it, up to 5 times an hour from one address. The key names an application and no user: it opens log-ins and public data, and everything else needs a log-in token beside it. The answer shows the key once.
   */
  generate(params: T.KeysGenerateParams = {}, options?: CallOptions): ApiPromise<T.KeysGenerateAnswer> {
    return this._call<T.KeysGenerateAnswer>(['keys.generate', 'POST', '/keys/generate-sdk-key'], params, options);
  }

  /**
   * Create key
   *
   * Creates an API key of the caller, optionally with scopes and an expiry.
   *
   * A logged-in user calls it; no API key is needed. The key belongs to the caller and serves the users of the caller’s client. The answer shows it once; `api_key.created` follows, and `api_key.expiring` before it ends.
   */
  create(params: T.KeysCreateParams = {}, options?: CallOptions): ApiPromise<T.KeysCreateAnswer> {
    return this._call<T.KeysCreateAnswer>(['keys.create', 'POST', '/keys/sdk-key'], params, options);
  }

  /**
   * List keys
   *
   * Lists the caller's API keys, newest first.
   *
   * A user sees the own keys, with their first and last characters only, how often each was used and when it ends.
   *
   * **Admins need a role**: owner, developer, support.
   */
  list(params: T.KeysListParams = {}, options?: CallOptions): PagePromise<T.KeysListAnswer, T.Row<T.KeysListAnswer, 'data'>> {
    return this._page<T.KeysListAnswer, T.Row<T.KeysListAnswer, 'data'>>(['keys.list', 'GET', '/keys/sdk-key', {"page":{"parameter":"before","items":"data"}}], params, options);
  }

  /**
   * Delete key
   *
   * Deletes one of the caller's API keys for good.
   */
  delete(params: T.KeysDeleteParams, options?: CallOptions): ApiPromise<T.KeysDeleteAnswer> {
    return this._call<T.KeysDeleteAnswer>(['keys.delete', 'DELETE', '/keys/sdk-key/{api_key}'], params, options);
  }

  /**
   * Limit key
   *
   * Changes from where one of the caller's API keys may be used, and how often.
   *
   * Takes effect at once, on every process. A call from another address is 403 `IP_NOT_ALLOWED` before anything else is looked at, and uses up nothing of the key’s limits. A key that is limited itself changes no key to wider limits than its own.
   */
  limit(params: T.KeysLimitParams, options?: CallOptions): ApiPromise<T.KeysLimitAnswer> {
    return this._call<T.KeysLimitAnswer>(['keys.limit', 'PATCH', '/keys/sdk-key/{api_key}'], params, options);
  }

  /**
   * Rotate key
   *
   * Replaces one of the caller's API keys; the old one works until the overlap has passed.
   */
  rotate(params: T.KeysRotateParams, options?: CallOptions): ApiPromise<T.KeysRotateAnswer> {
    return this._call<T.KeysRotateAnswer>(['keys.rotate', 'POST', '/keys/sdk-key/{api_key}/rotate'], params, options);
  }
}

export class Clients extends Resource {
  /**
   * Create client
   *
   * Creates a client together with its admin user, whose password is e-mailed.
   *
   * Any API key may call it. It makes the client, its admin and the admin’s first wallet in one step, and mails the admin a password and a link to confirm the address. The client is `PENDING` until the operator or the verification of the company makes it `ACTIVE`; its admin can log in at once. `client.created` and `user.created` follow.
   */
  create(params: T.ClientsCreateParams, options?: CallOptions): ApiPromise<T.ClientsCreateAnswer> {
    return this._call<T.ClientsCreateAnswer>(['clients.create', 'POST', '/clients/create_with_admin'], params, options);
  }

  /**
   * List clients
   *
   * Client records, newest first; the page after is before the last one's client_id.
   *
   * An admin sees the own client; an admin of the operator sees all clients.
   *
   * **Admins need a role**: owner, developer, finance.
   */
  list(params: T.ClientsListParams = {}, options?: CallOptions): PagePromise<T.ClientsListAnswer, T.Row<T.ClientsListAnswer, ''>> {
    return this._page<T.ClientsListAnswer, T.Row<T.ClientsListAnswer, ''>>(['clients.list', 'GET', '/clients', {"page":{"parameter":"before","items":""}}], params, options);
  }

  /**
   * Suspend a client
   *
   * Suspends a client at once: its keys, log-ins and webhooks; payments in flight are finished. The operator only.
   *
   * Only an admin of the operator may call it. From now on all keys and log-ins of the client answer 403 `ACCOUNT_NOT_ACTIVE`, and its webhooks wait. Jobs and payments that have begun are finished. Changes of accounts that its admins had proposed are void, also once it is let in again: `left` lists them. A client that is stopped already is answered the same way; `client.stopped` follows.
   */
  stop(params: T.ClientsStopParams, options?: CallOptions): ApiPromise<T.ClientsStopAnswer> {
    return this._call<T.ClientsStopAnswer>(['clients.stop', 'POST', '/clients/{client_id}/stop'], params, options);
  }

  /**
   * Let a client in again
   *
   * Lets a client in again that was stopped, with the keys and log-ins that it had.
   *
   * Only an admin of the operator may call it. The client has the status that it had before, and its webhooks go on where they stopped. `client.let_in` follows.
   */
  letIn(params: T.ClientsLetInParams, options?: CallOptions): ApiPromise<T.ClientsLetInAnswer> {
    return this._call<T.ClientsLetInAnswer>(['clients.letIn', 'POST', '/clients/{client_id}/let-in'], params, options);
  }
}

export class Auth extends Resource {
  /**
   * Log in
   *
   * Logs in with a password; with a second factor enabled, this is the first step.
   *
   * It takes the user’s name or e-mail address and the password. The answer has a token for the header `Authorization`; where a second factor is enabled it has none, and `POST /auth/complete-login` takes the code. After repeated wrong passwords the account answers more slowly. `session.opened` follows.
   */
  logIn(params: T.AuthLogInParams, options?: CallOptions): ApiPromise<T.AuthLogInAnswer> {
    return this._call<T.AuthLogInAnswer>(['auth.logIn', 'POST', '/auth/login', {"secret":true}], params, options);
  }

  /**
   * Complete log-in
   *
   * Completes a log-in with a code of the authenticator app or a backup code.
   */
  completeLogIn(params: T.AuthCompleteLogInParams, options?: CallOptions): ApiPromise<T.AuthCompleteLogInAnswer> {
    return this._call<T.AuthCompleteLogInAnswer>(['auth.completeLogIn', 'POST', '/auth/complete-login', {"secret":true}], params, options);
  }
}

export class Users extends Resource {
  /**
   * Get user
   *
   * A user with client and verification.
   *
   * Users read themselves; an admin reads the people of the own client, and the operator reads everybody.
   */
  get(params: T.UsersGetParams, options?: CallOptions): ApiPromise<T.UsersGetAnswer> {
    return this._call<T.UsersGetAnswer>(['users.get', 'GET', '/users/{user_id}'], params, options);
  }

  /**
   * List users
   *
   * Users with their volumes and balances, newest first.
   *
   * An admin sees the people of the own client, the operator those of all clients. Sums are in the currency of the client at the market’s rate of now; `unconverted` names currencies without a rate, and these are left out of the sums. Of `total_balance`, `available` is what can be spent: less what is held for payments under way and what is owed, and nothing of frozen wallets.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  list(params: T.UsersListParams = {}, options?: CallOptions): PagePromise<T.UsersListAnswer, T.Row<T.UsersListAnswer, ''>> {
    return this._page<T.UsersListAnswer, T.Row<T.UsersListAnswer, ''>>(['users.list', 'GET', '/users/users', {"page":{"parameter":"before","items":""}}], params, options);
  }

  /**
   * List countries
   *
   * The countries that a payment service provider serves.
   *
   * The answer has the country codes that `country_code` of a new client or user may have.
   */
  listCountries(params: T.UsersListCountriesParams = {}, options?: CallOptions): ApiPromise<T.UsersListCountriesAnswer> {
    return this._call<T.UsersListCountriesAnswer>(['users.listCountries', 'GET', '/users/countries'], params, options);
  }

  /**
   * Log out
   *
   * Ends the session: its token is refused afterwards.
   *
   * A user ends the own session. Its token is refused at once, in all processes. `session.revoked` follows.
   */
  logOut(params: T.UsersLogOutParams = {}, options?: CallOptions): ApiPromise<T.UsersLogOutAnswer> {
    return this._call<T.UsersLogOutAnswer>(['users.logOut', 'POST', '/users/logout'], params, options);
  }

  /**
   * Report a verification
   *
   * A PSP reports the result of a verification; out of mock mode with a key of scope psp.
   *
   * The payment service provider calls it with its own key. The newest decision counts: a report that is older than the present status changes nothing. `verification.approved`, `verification.rejected` or `verification.pending` follows where the status has changed.
   */
  reportVerification(params: T.UsersReportVerificationParams, options?: CallOptions): ApiPromise<T.UsersReportVerificationAnswer> {
    return this._call<T.UsersReportVerificationAnswer>(['users.reportVerification', 'POST', '/users/psp_update'], params, options);
  }

  /**
   * Update profile
   *
   * Changes a profile; needs the caller's own password, and a code where configured.
   *
   * Users change their own profile; an admin may change that of a person of the own client. `current_password` and `otp_code` (from `POST /users/request-otp`, where the setting asks for it) are always the caller’s own. Out of mock mode a new e-mail address that an admin enters for another person waits until that person confirms it by mail. `user.updated` follows.
   */
  updateProfile(params: T.UsersUpdateProfileParams, options?: CallOptions): ApiPromise<T.UsersUpdateProfileAnswer> {
    return this._call<T.UsersUpdateProfileAnswer>(['users.updateProfile', 'PUT', '/users/update_profile/{user_id}', {"secret":true}], params, options);
  }

  /**
   * Request a one-time code
   *
   * Sends a code of 5 minutes by WhatsApp; in development and mock mode it is in the answer.
   *
   * Any API key may call it. The code goes to the telephone number of the user’s profile and is good for one change of the profile. Out of mock mode the next code can be requested after 30 seconds.
   */
  requestCode(params: T.UsersRequestCodeParams, options?: CallOptions): ApiPromise<T.UsersRequestCodeAnswer> {
    return this._call<T.UsersRequestCodeAnswer>(['users.requestCode', 'POST', '/users/request-otp'], params, options);
  }

  /**
   * Get a link to the terms
   *
   * A 24-hour link to the page on which a user accepts the terms of service.
   *
   * Users get their own link; an admin may get that of a person of the own client. The page behind it shows the terms that are in force and records when the user accepts them.
   */
  getTermsLink(params: T.UsersGetTermsLinkParams, options?: CallOptions): ApiPromise<T.UsersGetTermsLinkAnswer> {
    return this._call<T.UsersGetTermsLinkAnswer>(['users.getTermsLink', 'GET', '/users/{user_id}/tos-acceptance-link'], params, options);
  }

  /**
   * Accept the terms
   *
   * Accepts the terms of service with the token of the link, which works once.
   */
  acceptTerms(params: T.UsersAcceptTermsParams, options?: CallOptions): ApiPromise<T.UsersAcceptTermsAnswer> {
    return this._call<T.UsersAcceptTermsAnswer>(['users.acceptTerms', 'POST', '/users/{user_id}/accept-tos', {"secret":true}], params, options);
  }

  /**
   * Open the confirmation page
   *
   * The page behind the confirmation link; the token works once.
   */
  confirm(params: T.UsersConfirmParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['users.confirm', 'GET', '/users/confirm/{token}', {"answer":"text"}], params, options);
  }

  /**
   * Confirm an e-mail address
   *
   * Confirms an e-mail address by the token of the mailed link, which works once.
   */
  confirmAddress(params: T.UsersConfirmAddressParams, options?: CallOptions): ApiPromise<T.UsersConfirmAddressAnswer> {
    return this._call<T.UsersConfirmAddressAnswer>(['users.confirmAddress', 'POST', '/users/confirm', {"secret":true}], params, options);
  }

  /**
   * Send the confirmation again
   *
   * Mails a new confirmation link to the users who need one; answers the same if there are none.
   *
   * Anybody may call it. The answer is the same for every address, so that it does not show which addresses have an account. At most five links are valid at the same time.
   */
  resendConfirmation(params: T.UsersResendConfirmationParams, options?: CallOptions): ApiPromise<T.UsersResendConfirmationAnswer> {
    return this._call<T.UsersResendConfirmationAnswer>(['users.resendConfirmation', 'POST', '/users/resend-confirmation'], params, options);
  }

  /**
   * Decide a pending change
   *
   * Allows or refuses a pending change, with the token of the mailed link, which works once.
   */
  confirmChange(params: T.UsersConfirmChangeParams, options?: CallOptions): ApiPromise<T.UsersConfirmChangeAnswer> {
    return this._call<T.UsersConfirmChangeAnswer>(['users.confirmChange', 'POST', '/users/confirm-change', {"secret":true}], params, options);
  }

  /**
   * List pending changes
   *
   * Pending changes that others have requested in a user’s name, oldest first.
   *
   * Users see their own changes; admins see those of the people of their client. A change counts once the user has confirmed it by the link of the mail, and lapses after 24 hours.
   */
  listChanges(params: T.UsersListChangesParams, options?: CallOptions): ApiPromise<T.UsersListChangesAnswer> {
    return this._call<T.UsersListChangesAnswer>(['users.listChanges', 'GET', '/users/{user_id}/pending-changes'], params, options);
  }

  /**
   * Cancel a pending change
   *
   * Cancels a pending change; an operator’s only by the user or an operator.
   */
  cancelChange(params: T.UsersCancelChangeParams, options?: CallOptions): ApiPromise<T.UsersCancelChangeAnswer> {
    return this._call<T.UsersCancelChangeAnswer>(['users.cancelChange', 'DELETE', '/users/{user_id}/pending-changes/{change_id}'], params, options);
  }
}

export class Admins extends Resource {
  /**
   * List admins
   *
   * The admins of the caller's client, newest first; the next page is `before` the last.
   *
   * An admin sees the admins of the own client.
   *
   * **Admins need a role**: owner.
   */
  list(params: T.AdminsListParams = {}, options?: CallOptions): PagePromise<T.AdminsListAnswer, T.Row<T.AdminsListAnswer, 'admins'>> {
    return this._page<T.AdminsListAnswer, T.Row<T.AdminsListAnswer, 'admins'>>(['admins.list', 'GET', '/admins/list', {"page":{"parameter":"before","items":"admins"}}], params, options);
  }

  /**
   * Create user
   *
   * Creates a verified user with a temporary password, which is e-mailed as well.
   *
   * An admin creates people of the own client, the operator those of any client. The person is verified and active at once, gets the temporary password and a link to confirm the address by mail, and should change the password within 72 hours. For Indonesia a customer at the payment service provider is made as well; `psp_a_integration` shows how far that is, and a job continues it where the provider does not answer. `user.created` follows.
   */
  createUser(params: T.AdminsCreateUserParams, options?: CallOptions): ApiPromise<T.AdminsCreateUserAnswer> {
    return this._call<T.AdminsCreateUserAnswer>(['admins.createUser', 'POST', '/admins/users'], params, options);
  }

  /**
   * Approve a verification
   *
   * Approves a pending verification and makes the user active.
   *
   * An admin approves people of the own client, the operator everybody. A person who is approved already is answered the same way and nothing changes; a rejected one is 404. `verification.approved` and `user.activated` follow. A stopped person stays stopped.
   */
  approveKyc(params: T.AdminsApproveKycParams, options?: CallOptions): ApiPromise<T.AdminsApproveKycAnswer> {
    return this._call<T.AdminsApproveKycAnswer>(['admins.approveKyc', 'POST', '/admins/approve-kyc/{user_id}'], params, options);
  }

  /**
   * Get a user as an admin
   *
   * A user with client, verification and, in Indonesia, customer at the PSP.
   *
   * An admin reads the people of the own client, the operator everybody.
   */
  getUser(params: T.AdminsGetUserParams, options?: CallOptions): ApiPromise<T.AdminsGetUserAnswer> {
    return this._call<T.AdminsGetUserAnswer>(['admins.getUser', 'GET', '/admins/users/{user_id}'], params, options);
  }

  /**
   * List actions of admins
   *
   * Actions of admins on the caller's client, newest first; next page before `next_before`.
   *
   * An admin reads what was done to the own client and its people, reasons included; the operator reads it of all clients. Entries are never changed or deleted.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   *
   * **Admins need a role**: owner, finance.
   */
  audit(params: T.AdminsAuditParams = {}, options?: CallOptions): PagePromise<T.AdminsAuditAnswer, T.Row<T.AdminsAuditAnswer, 'entries'>> {
    return this._page<T.AdminsAuditAnswer, T.Row<T.AdminsAuditAnswer, 'entries'>>(['admins.audit', 'GET', '/admins/audit', {"page":{"parameter":"before","items":"entries","next":"next_before"}}], params, options);
  }

  /**
   * Remove a lost second factor
   *
   * Removes a lost second factor, after a day; the operator only.
   */
  removeSecondFactor(params: T.AdminsRemoveSecondFactorParams, options?: CallOptions): ApiPromise<T.AdminsRemoveSecondFactorAnswer> {
    return this._call<T.AdminsRemoveSecondFactorAnswer>(['admins.removeSecondFactor', 'POST', '/admins/users/{user_id}/remove-second-factor', {"secret":true}], params, options);
  }

  /**
   * Change a lost e-mail address
   *
   * Changes the e-mail address of a user who has lost it, after a day; the operator only.
   *
   * Only an admin of the operator may call it, with a reason and a proof. The change takes effect after 24 hours (in mock mode at once). Until then the user can stop it or have it at once by the link that goes to the old address, and the operator can stop it. Then the new address has to be confirmed, and the password can be reset.
   */
  moveAddress(params: T.AdminsMoveAddressParams, options?: CallOptions): ApiPromise<T.AdminsMoveAddressAnswer> {
    return this._call<T.AdminsMoveAddressAnswer>(['admins.moveAddress', 'POST', '/admins/users/{user_id}/move-address', {"secret":true}], params, options);
  }

  /**
   * Suspend a user
   *
   * Suspends a user: ends their log-ins and voids their orders, proposals and endpoints, which the answer lists.
   *
   * An admin stops people of the own client, the operator everybody; an admin cannot stop the own account. All open sessions of the person end, every log-in answers 403 `ACCOUNT_NOT_ACTIVE`, and payments that have begun are finished. Changes and corrections that the person had ordered or proposed are void, webhook endpoints that the person made are paused, and keys of the person go on for the client’s application: `left` lists all of them. `user.stopped` follows.
   */
  stopUser(params: T.AdminsStopUserParams, options?: CallOptions): ApiPromise<T.AdminsStopUserAnswer> {
    return this._call<T.AdminsStopUserAnswer>(['admins.stopUser', 'POST', '/admins/users/{user_id}/stop'], params, options);
  }

  /**
   * Reinstate a user
   *
   * Reinstates a suspended user; only the operator reinstates users whom it has suspended.
   *
   * An admin reinstates users whom an admin of the client has suspended; the operator reinstates all. The user gets the status of before and has to log in again. `user.let_in` follows.
   */
  letUserIn(params: T.AdminsLetUserInParams, options?: CallOptions): ApiPromise<T.AdminsLetUserInAnswer> {
    return this._call<T.AdminsLetUserInAnswer>(['admins.letUserIn', 'POST', '/admins/users/{user_id}/let-in'], params, options);
  }
}

export class Instances extends Resource {
  /**
   * List instances
   *
   * The instances of the caller's client, newest first.
   *
   * An admin sees the shops, apps or branches of the own client.
   *
   * **Admins need a role**: owner, developer, finance.
   */
  list(params: T.InstancesListParams = {}, options?: CallOptions): PagePromise<T.InstancesListAnswer, T.Row<T.InstancesListAnswer, 'instances'>> {
    return this._page<T.InstancesListAnswer, T.Row<T.InstancesListAnswer, 'instances'>>(['instances.list', 'GET', '/clients/my-instances', {"page":{"parameter":"before","items":"instances"}}], params, options);
  }

  /**
   * Create instance
   *
   * Creates an instance of the caller's client; its name is unique there.
   *
   * An admin creates it for the own client. A name that the client uses already is 409 `CONFLICT`. `instance.created` follows.
   */
  create(params: T.InstancesCreateParams, options?: CallOptions): ApiPromise<T.InstancesCreateAnswer> {
    return this._call<T.InstancesCreateAnswer>(['instances.create', 'POST', '/clients/create-instance'], params, options);
  }

  /**
   * Rename instance
   *
   * Changes the display name of an instance of the caller’s client.
   */
  rename(params: T.InstancesRenameParams, options?: CallOptions): ApiPromise<T.InstancesRenameAnswer> {
    return this._call<T.InstancesRenameAnswer>(['instances.rename', 'PUT', '/clients/{instance_id}/update-alias'], params, options);
  }

  /**
   * Delete instance
   *
   * Deletes an instance of the caller’s client for good.
   */
  delete(params: T.InstancesDeleteParams, options?: CallOptions): ApiPromise<T.InstancesDeleteAnswer> {
    return this._call<T.InstancesDeleteAnswer>(['instances.delete', 'DELETE', '/clients/clients/{instance_id}'], params, options);
  }
}

export class Sessions extends Resource {
  /**
   * List sessions
   *
   * Lists the caller's open sessions, newest first, but for the console's, which live shorter; the next page is `before` the last.
   *
   * Users see their own sessions, with the network and program of each log-in. `DELETE /sessions/{session_id}` ends one of them.
   */
  list(params: T.SessionsListParams = {}, options?: CallOptions): PagePromise<T.SessionsListAnswer, T.Row<T.SessionsListAnswer, 'data'>> {
    return this._page<T.SessionsListAnswer, T.Row<T.SessionsListAnswer, 'data'>>(['sessions.list', 'GET', '/sessions', {"page":{"parameter":"before","items":"data"}}], params, options);
  }

  /**
   * End all other sessions
   *
   * Ends all of the caller's sessions except the one of the request.
   *
   * Users end all other sessions of their own, for example after a device was lost. `session.revoked` follows for each.
   */
  endOthers(params: T.SessionsEndOthersParams = {}, options?: CallOptions): ApiPromise<T.SessionsEndOthersAnswer> {
    return this._call<T.SessionsEndOthersAnswer>(['sessions.endOthers', 'DELETE', '/sessions'], params, options);
  }

  /**
   * End session
   *
   * Ends one of the caller's sessions; its token is refused at once.
   */
  end(params: T.SessionsEndParams, options?: CallOptions): ApiPromise<T.SessionsEndAnswer> {
    return this._call<T.SessionsEndAnswer>(['sessions.end', 'DELETE', '/sessions/{session_id}'], params, options);
  }

  /**
   * Prove who is there
   *
   * Proves by password or code that the owner holds the log-in: for five minutes it counts as a fresh one.
   *
   * A user calls it before an operation that needs a proof. It takes the password, a code of the authenticator app or a backup code.
   */
  prove(params: T.SessionsProveParams = {}, options?: CallOptions): ApiPromise<T.SessionsProveAnswer> {
    return this._call<T.SessionsProveAnswer>(['sessions.prove', 'POST', '/sessions/prove', {"secret":true}], params, options);
  }
}

export class Password extends Resource {
  /**
   * Request a reset link
   *
   * Sends a link to set a new password if the e-mail is known; answers the same if not.
   *
   * Any API key may call it. The answer is the same for every address. The link of the mail leads to a page that sets the new password, and can remove the log-in methods and keys that were added since the last reset.
   */
  requestReset(params: T.PasswordRequestResetParams, options?: CallOptions): ApiPromise<T.PasswordRequestResetAnswer> {
    return this._call<T.PasswordRequestResetAnswer>(['password.requestReset', 'POST', '/password/request_reset'], params, options);
  }

  /**
   * Request a reset link without a key
   *
   * The same for the page at `/forgotten-password`, which has no key.
   *
   * The page `/forgotten-password` calls it. It answers as `POST /password/request_reset` does and has the same limits.
   */
  requestWithoutKey(params: T.PasswordRequestWithoutKeyParams, options?: CallOptions): ApiPromise<T.PasswordRequestWithoutKeyAnswer> {
    return this._call<T.PasswordRequestWithoutKeyAnswer>(['password.requestWithoutKey', 'POST', '/password/forgotten'], params, options);
  }

  /**
   * Set a new password
   *
   * Sets a new password with the token of a reset link; every session ends.
   */
  reset(params: T.PasswordResetParams, options?: CallOptions): ApiPromise<T.PasswordResetAnswer> {
    return this._call<T.PasswordResetAnswer>(['password.reset', 'POST', '/password/reset', {"secret":true}], params, options);
  }
}

export class TwoFactor extends Resource {
  /**
   * Set up a second factor
   *
   * Creates a secret for an authenticator app and backup codes, to be enabled with a code.
   *
   * A user calls it for the own account. Out of mock mode it needs a proof: the password, a code, or a log-in of the last five minutes. The answer shows secret and backup codes once; nothing changes until `POST /2fa/enable` has taken a code of the app.
   */
  setUp(params: T.TwoFactorSetUpParams = {}, options?: CallOptions): ApiPromise<T.TwoFactorSetUpAnswer> {
    return this._call<T.TwoFactorSetUpAnswer>(['twoFactor.setUp', 'POST', '/2fa/setup', {"secret":true}], params, options);
  }

  /**
   * Enable the second factor
   *
   * Enables the second factor: every log-in asks for a code.
   */
  enable(params: T.TwoFactorEnableParams, options?: CallOptions): ApiPromise<T.TwoFactorEnableAnswer> {
    return this._call<T.TwoFactorEnableAnswer>(['twoFactor.enable', 'POST', '/2fa/enable', {"secret":true}], params, options);
  }

  /**
   * Disable the second factor
   *
   * Disables the second factor. Needs the password and a code.
   */
  disable(params: T.TwoFactorDisableParams, options?: CallOptions): ApiPromise<T.TwoFactorDisableAnswer> {
    return this._call<T.TwoFactorDisableAnswer>(['twoFactor.disable', 'POST', '/2fa/disable', {"secret":true}], params, options);
  }

  /**
   * List backup codes
   *
   * The unused backup codes. New ones come with a new set-up.
   */
  listBackupCodes(params: T.TwoFactorListBackupCodesParams, options?: CallOptions): ApiPromise<T.TwoFactorListBackupCodesAnswer> {
    return this._call<T.TwoFactorListBackupCodesAnswer>(['twoFactor.listBackupCodes', 'POST', '/2fa/backup-codes', {"secret":true}], params, options);
  }

  /**
   * Get the status of the second factor
   *
   * Whether a second factor is set up and enabled.
   *
   * Users read it of their own account.
   */
  getStatus(params: T.TwoFactorGetStatusParams = {}, options?: CallOptions): ApiPromise<T.TwoFactorGetStatusAnswer> {
    return this._call<T.TwoFactorGetStatusAnswer>(['twoFactor.getStatus', 'GET', '/2fa/status'], params, options);
  }

  /**
   * List changes of the second factor
   *
   * The history of the caller's second factor, newest first; `before` is the last id of the page before.
   *
   * Users read it of their own account.
   */
  audit(params: T.TwoFactorAuditParams = {}, options?: CallOptions): PagePromise<T.TwoFactorAuditAnswer, T.Row<T.TwoFactorAuditAnswer, 'data'>> {
    return this._page<T.TwoFactorAuditAnswer, T.Row<T.TwoFactorAuditAnswer, 'data'>>(['twoFactor.audit', 'GET', '/2fa/audit', {"page":{"parameter":"before","items":"data","next":"next_before"}}], params, options);
  }

  /**
   * Check a log-in code
   *
   * Checks the code of a log-in that waits for it, without using it up.
   */
  verifyLogIn(params: T.TwoFactorVerifyLogInParams, options?: CallOptions): ApiPromise<T.TwoFactorVerifyLogInAnswer> {
    return this._call<T.TwoFactorVerifyLogInAnswer>(['twoFactor.verifyLogIn', 'POST', '/2fa/verify-login', {"secret":true}], params, options);
  }
}

export class Mobile extends Resource {
  /**
   * Request code
   *
   * Sends a code to log in, valid for five minutes; answers the same for an unknown phone.
   *
   * The phone belongs to one active user of the client of the key. The code counts for the key and network that asked for it, once, and dies after five wrong tries. In 30 seconds another one is refused with `Retry-After`.
   */
  requestCode(params: T.MobileRequestCodeParams, options?: CallOptions): ApiPromise<T.MobileRequestCodeAnswer> {
    return this._call<T.MobileRequestCodeAnswer>(['mobile.requestCode', 'POST', '/mobile/login/request'], params, options);
  }

  /**
   * Log a device in
   *
   * Logs a device in by the code; with a second factor enabled, this is the first step.
   *
   * The header `DPoP` is a proof by the device’s key (RFC 9449): ES256, `htm` and `htu` of this request, `iat` of the last minute, a `jti` that counts once.
   */
  logIn(params: T.MobileLogInParams, options?: CallOptions): ApiPromise<T.MobileLogInAnswer> {
    return this._call<T.MobileLogInAnswer>(['mobile.logIn', 'POST', '/mobile/login', {"secret":true}], params, options);
  }

  /**
   * Complete log in
   *
   * Completes the log-in of a device by the second factor, within ten minutes.
   *
   * The header `DPoP` is a proof by the device’s key (RFC 9449): ES256, `htm` and `htu` of this request, `iat` of the last minute, a `jti` that counts once.
   */
  completeLogIn(params: T.MobileCompleteLogInParams, options?: CallOptions): ApiPromise<T.MobileCompleteLogInAnswer> {
    return this._call<T.MobileCompleteLogInAnswer>(['mobile.completeLogIn', 'POST', '/mobile/login/complete', {"secret":true}], params, options);
  }

  /**
   * Renew the log-in of a device
   *
   * Exchanges the refresh token of a device for a new pair; it is spent then.
   *
   * The header `DPoP` is a proof by the device’s key (RFC 9449): ES256, `htm` and `htu` of this request, `iat` of the last minute, a `jti` that counts once.
   *
   * A token that is used twice ends its device (`REFRESH_REUSED`), and the owner is mailed. Within 30 seconds, while its successor is unused, it gives a new pair instead: an answer may have been lost. The answer is kept for no repetition of an `Idempotency-Key`.
   */
  refresh(params: T.MobileRefreshParams, options?: CallOptions): ApiPromise<T.MobileRefreshAnswer> {
    return this._call<T.MobileRefreshAnswer>(['mobile.refresh', 'POST', '/mobile/refresh', {"secret":true}], params, options);
  }

  /**
   * Log this device out
   *
   * Ends the log-in of this device, and its refresh token.
   *
   * Once more with the same token is 200 too.
   */
  logOut(params: T.MobileLogOutParams = {}, options?: CallOptions): ApiPromise<T.MobileLogOutAnswer> {
    return this._call<T.MobileLogOutAnswer>(['mobile.logOut', 'POST', '/mobile/logout'], params, options);
  }

  /**
   * List devices
   *
   * Lists the devices that are logged in, newest first.
   */
  listDevices(params: T.MobileListDevicesParams = {}, options?: CallOptions): PagePromise<T.MobileListDevicesAnswer, T.Row<T.MobileListDevicesAnswer, 'data.items'>> {
    return this._page<T.MobileListDevicesAnswer, T.Row<T.MobileListDevicesAnswer, 'data.items'>>(['mobile.listDevices', 'GET', '/mobile/devices', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Update device
   *
   * Gives a device another name or push token.
   */
  updateDevice(params: T.MobileUpdateDeviceParams, options?: CallOptions): ApiPromise<T.MobileUpdateDeviceAnswer> {
    return this._call<T.MobileUpdateDeviceAnswer>(['mobile.updateDevice', 'PATCH', '/mobile/devices/{device_id}', {"secret":true}], params, options);
  }

  /**
   * Delete device
   *
   * Logs a device out for good; its token is refused at once.
   *
   * Ends its session and refresh token on every process. `device.removed` follows.
   */
  deleteDevice(params: T.MobileDeleteDeviceParams, options?: CallOptions): ApiPromise<T.MobileDeleteDeviceAnswer> {
    return this._call<T.MobileDeleteDeviceAnswer>(['mobile.deleteDevice', 'DELETE', '/mobile/devices/{device_id}'], params, options);
  }
}

export class Passkeys extends Resource {
  /**
   * Begin with a new passkey
   *
   * What the browser or phone is asked for a new passkey; needs a proof.
   *
   * Give `options` to `PublicKeyCredential.parseCreationOptionsFromJSON()`, and send what comes back within five minutes. Out of mock mode it needs the password, a code or a fresh log-in.
   */
  getRegistrationOptions(params: T.PasskeysGetRegistrationOptionsParams = {}, options?: CallOptions): ApiPromise<T.PasskeysGetRegistrationOptionsAnswer> {
    return this._call<T.PasskeysGetRegistrationOptionsAnswer>(['passkeys.getRegistrationOptions', 'POST', '/mobile/passkeys/registration-options', {"secret":true}], params, options);
  }

  /**
   * Create passkey
   *
   * Adds the passkey that the browser or phone has made.
   */
  create(params: T.PasskeysCreateParams, options?: CallOptions): ApiPromise<T.PasskeysCreateAnswer> {
    return this._call<T.PasskeysCreateAnswer>(['passkeys.create', 'POST', '/mobile/passkeys'], params, options);
  }

  /**
   * List passkeys
   *
   * Lists the passkeys, newest first; there are twenty at most.
   */
  list(params: T.PasskeysListParams = {}, options?: CallOptions): ApiPromise<T.PasskeysListAnswer> {
    return this._call<T.PasskeysListAnswer>(['passkeys.list', 'GET', '/mobile/passkeys'], params, options);
  }

  /**
   * Update passkey
   *
   * Gives a passkey another name.
   */
  update(params: T.PasskeysUpdateParams, options?: CallOptions): ApiPromise<T.PasskeysUpdateAnswer> {
    return this._call<T.PasskeysUpdateAnswer>(['passkeys.update', 'PATCH', '/mobile/passkeys/{passkey_id}'], params, options);
  }

  /**
   * Delete passkey
   *
   * Removes a passkey; needs a proof.
   *
   * Out of mock mode it needs the password, a code or a fresh log-in.
   */
  delete(params: T.PasskeysDeleteParams, options?: CallOptions): ApiPromise<T.PasskeysDeleteAnswer> {
    return this._call<T.PasskeysDeleteAnswer>(['passkeys.delete', 'DELETE', '/mobile/passkeys/{passkey_id}', {"secret":true}], params, options);
  }

  /**
   * Begin a log-in by passkey
   *
   * What the browser or phone is asked for a log-in by passkey.
   *
   * Give `options` to `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge counts once, for five minutes, for the key and network that asked.
   */
  beginLogIn(params: T.PasskeysBeginLogInParams = {}, options?: CallOptions): ApiPromise<T.PasskeysBeginLogInAnswer> {
    return this._call<T.PasskeysBeginLogInAnswer>(['passkeys.beginLogIn', 'POST', '/mobile/passkeys/login-options'], params, options);
  }

  /**
   * Log a device in by passkey
   *
   * Logs a device in by a passkey, which is both factors at once.
   *
   * The header `DPoP` is a proof by the device’s key, as for `POST /mobile/login`. An authenticator whose count of signatures goes back is refused, and its owner is mailed.
   */
  logIn(params: T.PasskeysLogInParams, options?: CallOptions): ApiPromise<T.PasskeysLogInAnswer> {
    return this._call<T.PasskeysLogInAnswer>(['passkeys.logIn', 'POST', '/mobile/passkeys/login'], params, options);
  }
}

export class Profile extends Resource {
  /**
   * Get profile
   *
   * Shows what is known of the caller.
   */
  get(params: T.ProfileGetParams = {}, options?: CallOptions): ApiPromise<T.ProfileGetAnswer> {
    return this._call<T.ProfileGetAnswer>(['profile.get', 'GET', '/profile'], params, options);
  }

  /**
   * Update profile
   *
   * Changes names, language, time zone and preferences.
   */
  update(params: T.ProfileUpdateParams = {}, options?: CallOptions): ApiPromise<T.ProfileUpdateAnswer> {
    return this._call<T.ProfileUpdateAnswer>(['profile.update', 'PATCH', '/profile'], params, options);
  }

  /**
   * Change password
   *
   * Sets a new password; all other sessions and devices end.
   *
   * The session of the request goes on. A wrong password counts as a failed log-in.
   */
  changePassword(params: T.ProfileChangePasswordParams, options?: CallOptions): ApiPromise<T.ProfileChangePasswordAnswer> {
    return this._call<T.ProfileChangePasswordAnswer>(['profile.changePassword', 'POST', '/profile/password', {"secret":true}], params, options);
  }

  /**
   * Begin a change of address
   *
   * Begins a change of the e-mail address, by a link to the new one.
   *
   * A link of 24 hours goes to the new address. At once the old one gets a notice with a link that undoes it for 72 hours, also after it was confirmed. Users with a second factor send a code of it.
   */
  changeEmail(params: T.ProfileChangeEmailParams, options?: CallOptions): ApiPromise<T.ProfileChangeEmailAnswer> {
    return this._call<T.ProfileChangeEmailAnswer>(['profile.changeEmail', 'POST', '/profile/email', {"secret":true}], params, options);
  }

  /**
   * Confirm email
   *
   * Takes the new address, by the link that was mailed to it.
   */
  confirmEmail(params: T.ProfileConfirmEmailParams, options?: CallOptions): ApiPromise<T.ProfileConfirmEmailAnswer> {
    return this._call<T.ProfileConfirmEmailAnswer>(['profile.confirmEmail', 'POST', '/profile/email/confirm', {"secret":true}], params, options);
  }

  /**
   * Undo email
   *
   * Puts the old address back, by the link that was mailed to it; every log-in ends.
   *
   * Later changes end with the one that is undone: their links may be in the same hands.
   */
  undoEmail(params: T.ProfileUndoEmailParams, options?: CallOptions): ApiPromise<T.ProfileUndoEmailAnswer> {
    return this._call<T.ProfileUndoEmailAnswer>(['profile.undoEmail', 'POST', '/profile/email/undo', {"secret":true}], params, options);
  }

  /**
   * Begin a change of the phone number
   *
   * Begins a change of the phone number, by a code to the new one.
   *
   * A code of five minutes goes to the new number. A message goes to the old one once it is confirmed, and all devices are logged out.
   */
  changePhone(params: T.ProfileChangePhoneParams, options?: CallOptions): ApiPromise<T.ProfileChangePhoneAnswer> {
    return this._call<T.ProfileChangePhoneAnswer>(['profile.changePhone', 'POST', '/profile/phone', {"secret":true}], params, options);
  }

  /**
   * Confirm phone
   *
   * Takes the new phone number, by the code that was sent to it.
   */
  confirmPhone(params: T.ProfileConfirmPhoneParams, options?: CallOptions): ApiPromise<T.ProfileConfirmPhoneAnswer> {
    return this._call<T.ProfileConfirmPhoneAnswer>(['profile.confirmPhone', 'POST', '/profile/phone/confirm', {"secret":true}], params, options);
  }

  /**
   * List activity
   *
   * Lists what the caller has done, newest first.
   */
  listActivity(params: T.ProfileListActivityParams = {}, options?: CallOptions): PagePromise<T.ProfileListActivityAnswer, T.Row<T.ProfileListActivityAnswer, 'data.items'>> {
    return this._page<T.ProfileListActivityAnswer, T.Row<T.ProfileListActivityAnswer, 'data.items'>>(['profile.listActivity', 'GET', '/profile/activity', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Ask for everything about a person
   *
   * Asks for everything about the caller as a file, once a day.
   *
   * A job writes gzipped JSON, `{manifest, parts}`: the manifest has the format `archipay-person-export/1`, and of each part its name, number of rows and SHA-256 of its text. No secrets, and no data of other people.
   */
  export(params: T.ProfileExportParams = {}, options?: CallOptions): ApiPromise<T.ProfileExportAnswer> {
    return this._call<T.ProfileExportAnswer>(['profile.export', 'POST', '/profile/exports'], params, options);
  }

  /**
   * Get export
   *
   * Shows an export of the caller, and its link while it may be opened.
   */
  getExport(params: T.ProfileGetExportParams, options?: CallOptions): ApiPromise<T.ProfileGetExportAnswer> {
    return this._call<T.ProfileGetExportAnswer>(['profile.getExport', 'GET', '/profile/exports/{id}'], params, options);
  }

  /**
   * Download export
   *
   * Sends the file of an export, by its link, once.
   *
   * The address is `download_url` of the export. It opens once.
   */
  downloadExport(params: T.ProfileDownloadExportParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['profile.downloadExport', 'GET', '/profile/exports/{id}/content', {"answer":"bytes"}], params, options);
  }

  /**
   * Close an account
   *
   * Closes the account of the caller; it is erased 14 days later.
   *
   * The account has to be empty: `details.items` of ACCOUNT_NOT_EMPTY says what is in it. For 14 days all that moves money is 403 `ACCOUNT_CLOSING`; log-in works, and so does POST /profile/close/cancel. After them names, address, phone, devices, passkeys, recipients, notes and messages are erased; books and audit stay under the number.
   */
  close(params: T.ProfileCloseParams, options?: CallOptions): ApiPromise<T.ProfileCloseAnswer> {
    return this._call<T.ProfileCloseAnswer>(['profile.close', 'POST', '/profile/close', {"secret":true}], params, options);
  }

  /**
   * Keep an account
   *
   * Keeps an account that was to be closed.
   */
  cancelClosing(params: T.ProfileCancelClosingParams = {}, options?: CallOptions): ApiPromise<T.ProfileCancelClosingAnswer> {
    return this._call<T.ProfileCancelClosingAnswer>(['profile.cancelClosing', 'POST', '/profile/close/cancel'], params, options);
  }
}

export class ExternalLogin extends Resource {
  /**
   * Log in with a provider’s token
   *
   * Logs in with the external provider's token; registers new users.
   *
   * It takes the token that the external provider has given to the person. A person without an account gets one, in the client of the API key. An e-mail address that has an account already is 409 `ACCOUNT_EXISTS`: log in there and link the external account.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  logIn(params: T.ExternalLoginLogInParams = {}, options?: CallOptions): ApiPromise<T.ExternalLoginLogInAnswer> {
    return this._call<T.ExternalLoginLogInAnswer>(['externalLogin.logIn', 'POST', '/extauth/auth/login', {"secret":true}], params, options);
  }

  /**
   * Link a log-in method
   *
   * Links an account of the external provider as a log-in method.
   *
   * Users link an account to themselves; an admin may do it for a person of the own client. Out of mock mode one’s own link needs a proof (password, code, or a log-in of the last five minutes), and that of another person waits until the person confirms it by mail: the answer is 202 with `pending_change`. `external_identity.linked` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  link(params: T.ExternalLoginLinkParams, options?: CallOptions): ApiPromise<T.ExternalLoginLinkAnswer> {
    return this._call<T.ExternalLoginLinkAnswer>(['externalLogin.link', 'POST', '/extauth/auth/link', {"secret":true}], params, options);
  }

  /**
   * Link a wallet as a log-in method
   *
   * Links a wallet that the token proves to be the holder’s.
   *
   * Users link a wallet to themselves; an admin may do it for a person of the own client, as at `POST /extauth/auth/link`. Afterwards the wallet proves payments and burns as the user’s own.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  linkWallet(params: T.ExternalLoginLinkWalletParams, options?: CallOptions): ApiPromise<T.ExternalLoginLinkWalletAnswer> {
    return this._call<T.ExternalLoginLinkWalletAnswer>(['externalLogin.linkWallet', 'POST', '/extauth/auth/link-wallet', {"secret":true}], params, options);
  }

  /**
   * Disconnect a log-in method
   *
   * Disconnects a log-in method, unless it is the only one.
   */
  disconnect(params: T.ExternalLoginDisconnectParams, options?: CallOptions): ApiPromise<T.ExternalLoginDisconnectAnswer> {
    return this._call<T.ExternalLoginDisconnectAnswer>(['externalLogin.disconnect', 'DELETE', '/extauth/auth/disconnect'], params, options);
  }

  /**
   * List log-in methods
   *
   * The caller's external log-in methods; an admin may name a user of theirs.
   */
  getProfile(params: T.ExternalLoginGetProfileParams = {}, options?: CallOptions): ApiPromise<T.ExternalLoginGetProfileAnswer> {
    return this._call<T.ExternalLoginGetProfileAnswer>(['externalLogin.getProfile', 'GET', '/extauth/auth/profile'], params, options);
  }

  /**
   * List log-in methods of a user
   *
   * A user's external log-in methods: the caller's own, or for admins one of theirs.
   */
  getUserProfile(params: T.ExternalLoginGetUserProfileParams, options?: CallOptions): ApiPromise<T.ExternalLoginGetUserProfileAnswer> {
    return this._call<T.ExternalLoginGetUserProfileAnswer>(['externalLogin.getUserProfile', 'GET', '/extauth/auth/profile/{user_id}'], params, options);
  }

  /**
   * Count external log-ins
   *
   * Counts of the external log-ins of the caller's client; the operator's cover all.
   *
   * An admin sees the figures of the own client, an admin of the operator those of all clients.
   */
  stats(params: T.ExternalLoginStatsParams = {}, options?: CallOptions): ApiPromise<T.ExternalLoginStatsAnswer> {
    return this._call<T.ExternalLoginStatsAnswer>(['externalLogin.stats', 'GET', '/extauth/stats'], params, options);
  }

  /**
   * Check the external log-in
   *
   * Whether the external log-in is configured and its provider answers.
   *
   * Any logged-in user may call it. `status` is `degraded` where a setting is missing or the provider does not answer; `issues` names what.
   */
  health(params: T.ExternalLoginHealthParams = {}, options?: CallOptions): ApiPromise<T.ExternalLoginHealthAnswer> {
    return this._call<T.ExternalLoginHealthAnswer>(['externalLogin.health', 'GET', '/extauth/health'], params, options);
  }
}

export class Team extends Resource {
  /**
   * List the team
   *
   * Lists the admins of the caller's own client, newest first, and the invitations that are open; the next page is `before` the last.
   *
   * Members are the newest first; invitations are all that can still be accepted, and are the same on every page.
   *
   * **Admins need a role**: owner.
   */
  list(params: T.TeamListParams = {}, options?: CallOptions): PagePromise<T.TeamListAnswer, T.Row<T.TeamListAnswer, 'data.members'>> {
    return this._page<T.TeamListAnswer, T.Row<T.TeamListAnswer, 'data.members'>>(['team.list', 'GET', '/team', {"page":{"parameter":"before","items":"data.members"}}], params, options);
  }

  /**
   * Invite to the team
   *
   * Mails a link by which the owner of an address joins the team, once, within 72 hours.
   *
   * The link is bound to the address. An earlier invitation of the same address stops working, so this also sends a link again. No answer shows the link.
   */
  invite(params: T.TeamInviteParams, options?: CallOptions): ApiPromise<T.TeamInviteAnswer> {
    return this._call<T.TeamInviteAnswer>(['team.invite', 'POST', '/team/invitations', {"secret":true}], params, options);
  }

  /**
   * Take an invitation back
   *
   * Takes an invitation back: its link does not work any more.
   */
  revokeInvitation(params: T.TeamRevokeInvitationParams, options?: CallOptions): ApiPromise<T.TeamRevokeInvitationAnswer> {
    return this._call<T.TeamRevokeInvitationAnswer>(['team.revokeInvitation', 'DELETE', '/team/invitations/{invitation_id}'], params, options);
  }

  /**
   * Join a team
   *
   * Joins a team by the token of the mailed link, which works once.
   *
   * The page behind the link calls it. The new member logs in with the address of the invitation and the password that they have sent.
   */
  accept(params: T.TeamAcceptParams, options?: CallOptions): ApiPromise<T.TeamAcceptAnswer> {
    return this._call<T.TeamAcceptAnswer>(['team.accept', 'POST', '/team/invitations/accept', {"secret":true}], params, options);
  }

  /**
   * Change a role
   *
   * Gives somebody of the team another role, which ends their log-ins.
   *
   * Owners cannot change their own role, so a team always has one. All owners get a mail. Approvals of somebody who became owner or finance count a day later, and with a second factor alone; what they had approved before and what still waits needs another approval.
   */
  setRole(params: T.TeamSetRoleParams, options?: CallOptions): ApiPromise<T.TeamSetRoleAnswer> {
    return this._call<T.TeamSetRoleAnswer>(['team.setRole', 'PATCH', '/team/{user_id}', {"secret":true}], params, options);
  }

  /**
   * Remove from the team
   *
   * Takes somebody out of the team; what they had asked for and is not done is void.
   *
   * Somebody who is removed stays a user of the client, with their own wallets. Their log-ins end. Proposals, orders, invitations and objects that wait for an approval are void. Kept keys and endpoints belong to the caller from then on; a kept key does no more than the role of its maker let it.
   */
  remove(params: T.TeamRemoveParams, options?: CallOptions): ApiPromise<T.TeamRemoveAnswer> {
    return this._call<T.TeamRemoveAnswer>(['team.remove', 'DELETE', '/team/{user_id}', {"query":["keys","endpoints"]}], params, options);
  }
}

export class Verification extends Resource {
  /**
   * Get the verification of a user
   *
   * The status of a user's individual verification.
   *
   * Users read their own status; an admin reads that of the people of the own client. A person without a verification is `Not yet Submit`.
   */
  getStatus(params: T.VerificationGetStatusParams, options?: CallOptions): ApiPromise<T.VerificationGetStatusAnswer> {
    return this._call<T.VerificationGetStatusAnswer>(['verification.getStatus', 'GET', '/ekyc/status/{user_id}'], params, options);
  }

  /**
   * List statuses of a verification
   *
   * Every status a user's verifications have had, newest first.
   *
   * Users read their own history; an admin reads that of the people of the own client. Each entry says where the decision came from.
   */
  listHistory(params: T.VerificationListHistoryParams, options?: CallOptions): PagePromise<T.VerificationListHistoryAnswer, T.Row<T.VerificationListHistoryAnswer, 'history'>> {
    return this._page<T.VerificationListHistoryAnswer, T.Row<T.VerificationListHistoryAnswer, 'history'>>(['verification.listHistory', 'GET', '/ekyc/history/{user_id}', {"page":{"parameter":"before","items":"history","next":"next_before"}}], params, options);
  }

  /**
   * Create a token to verify a person
   *
   * A 10-minute token for the provider's SDK, to verify a person.
   *
   * Users create it for themselves and hand it to the identity provider’s SDK in their app. The result comes by the provider’s webhook; `verification.approved` or `verification.rejected` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createToken(params: T.VerificationCreateTokenParams = {}, options?: CallOptions): ApiPromise<T.VerificationCreateTokenAnswer> {
    return this._call<T.VerificationCreateTokenAnswer>(['verification.createToken', 'POST', '/ekyc/idv/token'], params, options);
  }

  /**
   * Create a token to verify a company
   *
   * A 10-minute token for the provider's SDK, to verify a company.
   *
   * Users create it for themselves. The result counts for the client where the user is one of its admins: a verified company makes its client `ACTIVE`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createCompanyToken(params: T.VerificationCreateCompanyTokenParams = {}, options?: CallOptions): ApiPromise<T.VerificationCreateCompanyTokenAnswer> {
    return this._call<T.VerificationCreateCompanyTokenAnswer>(['verification.createCompanyToken', 'POST', '/ekyc/idv/token-kyb'], params, options);
  }

  /**
   * Create a link to verify a person
   *
   * A 10-minute link to the page on which a person is verified.
   *
   * Users create it for themselves; an admin may do it for a person of the own client. The person opens the link in a browser. The result comes by the provider’s webhook.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createLink(params: T.VerificationCreateLinkParams, options?: CallOptions): ApiPromise<T.VerificationCreateLinkAnswer> {
    return this._call<T.VerificationCreateLinkAnswer>(['verification.createLink', 'POST', '/ekyc/idv/websdk/{userId}'], params, options);
  }

  /**
   * Create a link to verify a company
   *
   * A 10-minute link to the page on which a company is verified.
   *
   * Users create it for themselves; an admin may do it for a person of the own client. The result counts for the client where the person is one of its admins.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createCompanyLink(params: T.VerificationCreateCompanyLinkParams, options?: CallOptions): ApiPromise<T.VerificationCreateCompanyLinkAnswer> {
    return this._call<T.VerificationCreateCompanyLinkAnswer>(['verification.createCompanyLink', 'POST', '/ekyc/idv/websdk-kyb/{userId}'], params, options);
  }

  /**
   * Change the level of a verification
   *
   * Moves a user's verification to another level, where it starts over.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  changeLevel(params: T.VerificationChangeLevelParams, options?: CallOptions): ApiPromise<T.VerificationChangeLevelAnswer> {
    return this._call<T.VerificationChangeLevelAnswer>(['verification.changeLevel', 'POST', '/ekyc/idv/changeLevel'], params, options);
  }

  /**
   * Synchronise a verification
   *
   * Updates the status of a verification; out of mock mode by asking the provider.
   *
   * Anybody may call it, and the answer shows nothing about a person. In mock mode the words of the body count; out of it the platform looks the applicant up at the provider, and the applicant has to be that user’s. It approves and never rejects. `verification.approved` follows where the status has changed.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  syncStatus(params: T.VerificationSyncStatusParams, options?: CallOptions): ApiPromise<T.VerificationSyncStatusAnswer> {
    return this._call<T.VerificationSyncStatusAnswer>(['verification.syncStatus', 'POST', '/ekyc/idv/syncIdvStatus'], params, options);
  }
}

export class PartnerCustomers extends Resource {
  /**
   * Create partner customer
   *
   * Makes a user a customer of the partner, or answers the one there is.
   *
   * Users register themselves; an admin may do it for a person of the own client. The customer is made at the partner once, however often it is called. `partner_customer.created` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  create(params: T.PartnerCustomersCreateParams, options?: CallOptions): ApiPromise<T.PartnerCustomersCreateAnswer> {
    return this._call<T.PartnerCustomersCreateAnswer>(['partnerCustomers.create', 'POST', '/pspb/customers'], params, options);
  }

  /**
   * Get a partner customer
   *
   * A customer as it stands at the partner now.
   *
   * Users read their own status; an admin reads that of the people of the own client. Each call looks the customer up at the partner.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getStatus(params: T.PartnerCustomersGetStatusParams, options?: CallOptions): ApiPromise<T.PartnerCustomersGetStatusAnswer> {
    return this._call<T.PartnerCustomersGetStatusAnswer>(['partnerCustomers.getStatus', 'GET', '/pspb/status'], params, options);
  }

  /**
   * Synchronise a partner customer
   *
   * Reads a customer at the partner, stores it and answers the changes since.
   *
   * Users do it for themselves, an admin for the people of the own client. `changes_detected` lists what differs from the last time; `partner_customer.updated` follows where something does.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  syncStatus(params: T.PartnerCustomersSyncStatusParams, options?: CallOptions): ApiPromise<T.PartnerCustomersSyncStatusAnswer> {
    return this._call<T.PartnerCustomersSyncStatusAnswer>(['partnerCustomers.syncStatus', 'GET', '/pspb/status/sync'], params, options);
  }

  /**
   * Get links of a partner customer
   *
   * Where the person accepts the partner’s terms and proves who they are.
   *
   * Users read their own links; an admin reads those of the people of the own client. The person opens both in a browser; the partner does not verify the person before.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getLinks(params: T.PartnerCustomersGetLinksParams, options?: CallOptions): ApiPromise<T.PartnerCustomersGetLinksAnswer> {
    return this._call<T.PartnerCustomersGetLinksAnswer>(['partnerCustomers.getLinks', 'GET', '/pspb/links'], params, options);
  }

  /**
   * Get the mode of the partner
   *
   * Whether the partner is its sandbox or the real thing.
   *
   * Any logged-in user may call it.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  getMode(params: T.PartnerCustomersGetModeParams = {}, options?: CallOptions): ApiPromise<T.PartnerCustomersGetModeAnswer> {
    return this._call<T.PartnerCustomersGetModeAnswer>(['partnerCustomers.getMode', 'GET', '/pspb/mode'], params, options);
  }
}

export class Payments extends Resource {
  /**
   * List payments
   *
   * Lists payments over all rails, newest first.
   *
   * Users see their own payments, admins those of their client. `q`, `reference`, `provider_reference`, `status` and times are found by an index; with other filters a page looks through 1,000 payments and may be short or empty although the list goes on: go on by `next_cursor` until it is null.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.PaymentsListParams = {}, options?: CallOptions): PagePromise<T.PaymentsListAnswer, T.Row<T.PaymentsListAnswer, 'data.items'>> {
    return this._page<T.PaymentsListAnswer, T.Row<T.PaymentsListAnswer, 'data.items'>>(['payments.list', 'GET', '/payments', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get payment
   *
   * Shows one payment.
   *
   * The id of the thing behind a payment finds it, too, such as the reference of a card top-up.
   */
  get(params: T.PaymentsGetParams, options?: CallOptions): ApiPromise<T.PaymentsGetAnswer> {
    return this._call<T.PaymentsGetAnswer>(['payments.get', 'GET', '/payments/{payment_id}'], params, options);
  }

  /**
   * Get the timeline of a payment
   *
   * Shows what has become of a payment, oldest first.
   *
   * Events, calls to providers, postings and transactions, without their contents.
   */
  timeline(params: T.PaymentsTimelineParams, options?: CallOptions): ApiPromise<T.PaymentsTimelineAnswer> {
    return this._call<T.PaymentsTimelineAnswer>(['payments.timeline', 'GET', '/payments/{payment_id}/timeline'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a payment, at any time.
   *
   * A null removes a key. Payments that were made without metadata take it, too.
   */
  setMetadata(params: T.PaymentsSetMetadataParams, options?: CallOptions): ApiPromise<T.PaymentsSetMetadataAnswer> {
    return this._call<T.PaymentsSetMetadataAnswer>(['payments.setMetadata', 'PATCH', '/payments/{payment_id}/metadata'], params, options);
  }

  /**
   * Get the state of each rail
   *
   * Shows of each rail how long payments usually take, and what is in doubt now.
   *
   * From the latest payments of this service, measured every five minutes.
   */
  rails(params: T.PaymentsRailsParams = {}, options?: CallOptions): ApiPromise<T.PaymentsRailsAnswer> {
    return this._call<T.PaymentsRailsAnswer>(['payments.rails', 'GET', '/status/rails'], params, options);
  }

  /**
   * Get figures of payments
   *
   * Shows what payments came to by day, currency and direction.
   *
   * Admins see those of their client, the operator of all clients together or of one. Figures are kept with each payment, so that they are of this moment; those of all clients may lack the last minute.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  figures(params: T.PaymentsFiguresParams = {}, options?: CallOptions): ApiPromise<T.PaymentsFiguresAnswer> {
    return this._call<T.PaymentsFiguresAnswer>(['payments.figures', 'GET', '/payment-figures'], params, options);
  }
}

export class FiatWallets extends Resource {
  /**
   * Open fiat wallet
   *
   * Opens a wallet in a currency, or answers the existing one.
   *
   * Users open wallets for themselves; an admin may do it for a person of the own client. There is one wallet for each currency, so a repetition answers the same wallet. `wallet.created` follows.
   */
  open(params: T.FiatWalletsOpenParams, options?: CallOptions): ApiPromise<T.FiatWalletsOpenAnswer> {
    return this._call<T.FiatWalletsOpenAnswer>(['fiatWallets.open', 'POST', '/wallets/fiat'], params, options);
  }

  /**
   * List fiat wallets
   *
   * A user's fiat wallets with their balances.
   *
   * Users see their own wallets; an admin sees those of the people of the own client. `balance` includes what is set aside for payments that have begun.
   */
  list(params: T.FiatWalletsListParams, options?: CallOptions): ApiPromise<T.FiatWalletsListAnswer> {
    return this._call<T.FiatWalletsListAnswer>(['fiatWallets.list', 'GET', '/wallets/fiat/{user_id}'], params, options);
  }

  /**
   * Get a statement
   *
   * A wallet's statement, newest first; the next page is before `next_before`.
   *
   * The owner reads it, and an admin of the owner’s client. Each line has the balance after it, so the lines add up to the balance of the wallet.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  listTransactions(params: T.FiatWalletsListTransactionsParams, options?: CallOptions): PagePromise<T.FiatWalletsListTransactionsAnswer, T.Row<T.FiatWalletsListTransactionsAnswer, 'data.transactions'>> {
    return this._page<T.FiatWalletsListTransactionsAnswer, T.Row<T.FiatWalletsListTransactionsAnswer, 'data.transactions'>>(['fiatWallets.listTransactions', 'GET', '/wallets/fiat/{wallet_id}/transactions', {"page":{"parameter":"before","items":"data.transactions","next":"data.pagination.next_before"}}], params, options);
  }

  /**
   * Get balance
   *
   * Shows what is posted, held and available, now or at a moment before.
   *
   * The owner reads it, and an admin of the owner’s client. The answer for a moment is the same whenever it is asked for.
   */
  getBalance(params: T.FiatWalletsGetBalanceParams, options?: CallOptions): ApiPromise<T.FiatWalletsGetBalanceAnswer> {
    return this._call<T.FiatWalletsGetBalanceAnswer>(['fiatWallets.getBalance', 'GET', '/wallets/fiat/{wallet_id}/balance'], params, options);
  }

  /**
   * Explain fiat wallet
   *
   * Explains a balance: what was posted by kind, and what is set aside for what.
   *
   * The owner reads it, and an admin of the owner’s client. The answer for a moment is the same whenever it is asked for: a posting that had begun before is waited for, and `digest` covers all but `next_attempt_at`. `checks` has rules by which the answer was verified; one that is not `ok` is a fault of the platform, and `ledger:verify` finds it as well.
   */
  explain(params: T.FiatWalletsExplainParams, options?: CallOptions): ApiPromise<T.FiatWalletsExplainAnswer> {
    return this._call<T.FiatWalletsExplainAnswer>(['fiatWallets.explain', 'GET', '/wallets/fiat/{wallet_id}/explain'], params, options);
  }

  /**
   * Get statement
   *
   * Answers a statement over days as JSON, CSV, PDF or camt.053.
   *
   * The owner reads it, and an admin of the owner’s client. The opening balance and all entries sum to the closing balance, and all formats have the same numbers and the same `x-statement-digest`. `csv` (`text/csv`) has the balances in its first and last row, `pdf` (`application/pdf`) is for people and printers, `camt.053` (`application/xml`) is camt.053.001.08 of ISO 20022. A statement of days that are over has the same numbers whenever it is asked for, and names no moment of its making: `timestamp` is the end of what it covers. At most 100,000 entries.
   */
  getStatement(params: T.FiatWalletsGetStatementParams, options?: CallOptions): ApiPromise<T.FiatWalletsGetStatementAnswer> {
    return this._call<T.FiatWalletsGetStatementAnswer>(['fiatWallets.getStatement', 'GET', '/wallets/fiat/{wallet_id}/statement'], params, options);
  }

  /**
   * Freeze fiat wallet
   *
   * Freezes a wallet: money comes in, and none goes out but what was held before.
   *
   * An admin freezes wallets of the own client’s users, the operator all. Money still comes in; payments out of it answer 403 `WALLET_FROZEN` and move nothing. Money that was held before is still paid. `wallet.frozen` follows.
   */
  freeze(params: T.FiatWalletsFreezeParams, options?: CallOptions): ApiPromise<T.FiatWalletsFreezeAnswer> {
    return this._call<T.FiatWalletsFreezeAnswer>(['fiatWallets.freeze', 'POST', '/wallets/fiat/{wallet_id}/freeze'], params, options);
  }

  /**
   * Unfreeze fiat wallet
   *
   * Releases a frozen wallet; only the operator releases wallets that it has frozen.
   *
   * An admin releases wallets that an admin of the client has frozen, the operator all. The whole balance can be spent again. `wallet.unfrozen` follows.
   */
  unfreeze(params: T.FiatWalletsUnfreezeParams, options?: CallOptions): ApiPromise<T.FiatWalletsUnfreezeAnswer> {
    return this._call<T.FiatWalletsUnfreezeAnswer>(['fiatWallets.unfreeze', 'POST', '/wallets/fiat/{wallet_id}/unfreeze'], params, options);
  }
}

export class BankLink extends Resource {
  /**
   * Create a link token
   *
   * A token with which a person links a bank account to a wallet.
   *
   * The owner of the wallet calls it and hands the token to the bank link’s flow in the app or page. The flow answers a public token, which `POST /banklink/item/public-token/exchange` takes.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createToken(params: T.BankLinkCreateTokenParams, options?: CallOptions): ApiPromise<T.BankLinkCreateTokenAnswer> {
    return this._call<T.BankLinkCreateTokenAnswer>(['bankLink.createToken', 'POST', '/banklink/link-token/create'], params, options);
  }

  /**
   * Announce a public token
   *
   * Announces the public token; the next call exchanges it.
   *
   * It is an intermediate step of the contract: it records nothing and asks the provider nothing. `POST /banklink/item/public-token/exchange` makes the connection.
   */
  exchangeToken(params: T.BankLinkExchangeTokenParams, options?: CallOptions): ApiPromise<T.BankLinkExchangeTokenAnswer> {
    return this._call<T.BankLinkExchangeTokenAnswer>(['bankLink.exchangeToken', 'POST', '/banklink/link-token/exchange', {"secret":true}], params, options);
  }

  /**
   * Link a bank account
   *
   * Links the bank account behind a public token to a wallet.
   *
   * The owner of the wallet calls it once the person has finished the bank’s flow. A wallet with a connection answers `ALREADY_CONNECTED`. `bank_connection.linked` follows; then `POST /banklink/topup` can take money from the account.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  linkAccount(params: T.BankLinkLinkAccountParams, options?: CallOptions): ApiPromise<T.BankLinkLinkAccountAnswer> {
    return this._call<T.BankLinkLinkAccountAnswer>(['bankLink.linkAccount', 'POST', '/banklink/item/public-token/exchange', {"secret":true}], params, options);
  }

  /**
   * Check a bank link
   *
   * Whether a wallet has a bank account linked to it.
   */
  check(params: T.BankLinkCheckParams, options?: CallOptions): ApiPromise<T.BankLinkCheckAnswer> {
    return this._call<T.BankLinkCheckAnswer>(['bankLink.check', 'GET', '/banklink/{wallet_id}/check'], params, options);
  }

  /**
   * Unlink a bank account
   *
   * Ends a wallet's link with its bank account, here and at the provider.
   *
   * The owner of the wallet calls it. A wallet without a connection is answered 200 as well. Transfers that have begun are finished. `bank_connection.unlinked` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  unlink(params: T.BankLinkUnlinkParams, options?: CallOptions): ApiPromise<T.BankLinkUnlinkAnswer> {
    return this._call<T.BankLinkUnlinkAnswer>(['bankLink.unlink', 'DELETE', '/banklink/{wallet_id}/bank'], params, options);
  }

  /**
   * List bank accounts
   *
   * The bank accounts behind all of a user’s connections.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  listAccounts(params: T.BankLinkListAccountsParams, options?: CallOptions): ApiPromise<T.BankLinkListAccountsAnswer> {
    return this._call<T.BankLinkListAccountsAnswer>(['bankLink.listAccounts', 'GET', '/banklink/{user_id}/accounts'], params, options);
  }

  /**
   * End a bank log-in
   *
   * Ends a bank log-in at the provider; the connection stays stored.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  removeItem(params: T.BankLinkRemoveItemParams, options?: CallOptions): ApiPromise<T.BankLinkRemoveItemAnswer> {
    return this._call<T.BankLinkRemoveItemAnswer>(['bankLink.removeItem', 'POST', '/banklink/remove-item', {"secret":true}], params, options);
  }

  /**
   * Get access token
   *
   * The access token of the caller's own wallet's connection.
   */
  getAccessToken(params: T.BankLinkGetAccessTokenParams, options?: CallOptions): ApiPromise<T.BankLinkGetAccessTokenAnswer> {
    return this._call<T.BankLinkGetAccessTokenAnswer>(['bankLink.getAccessToken', 'GET', '/banklink/{wallet_id}/access-token'], params, options);
  }

  /**
   * Top up from a bank account
   *
   * Tops up the caller's USD wallet from its bank account.
   *
   * The owner of the wallet calls it. The bank account pays: the money is taken by a direct debit, and the bank can return it later. The wallet has it once the debit has settled (in mock mode at once), and `wallet.credited` follows. A returned debit is taken back from the wallet, and what the wallet no longer has is owed.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  topUp<O extends CallOptions>(params: T.BankLinkTopUpParams, options?: O): Reply<T.BankLinkTopUpAnswer, O> {
    return this._reply<T.BankLinkTopUpAnswer, O>(['bankLink.topUp', 'POST', '/banklink/topup', {"money":true}], params, options);
  }

  /**
   * Get a bank top-up
   *
   * How a bank top-up stands: on its way, received, failed or returned.
   *
   * The owner of the wallet reads it. A debit that the bank returns later becomes `RETURNED`.
   */
  getTopUp(params: T.BankLinkGetTopUpParams, options?: CallOptions): ApiPromise<T.BankLinkGetTopUpAnswer> {
    return this._call<T.BankLinkGetTopUpAnswer>(['bankLink.getTopUp', 'GET', '/banklink/topup/{transaction_id}/status'], params, options);
  }

  /**
   * Advance a sandbox transfer
   *
   * Lets a transfer go on in the provider’s sandbox.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  advanceTransfer<O extends CallOptions>(params: T.BankLinkAdvanceTransferParams, options?: O): Reply<T.BankLinkAdvanceTransferAnswer, O> {
    return this._reply<T.BankLinkAdvanceTransferAnswer, O>(['bankLink.advanceTransfer', 'POST', '/banklink/transfer', {"money":true}], params, options);
  }

  /**
   * Complete a sandbox payment
   *
   * Completes a SEPA payment in the provider’s sandbox.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  completePayment<O extends CallOptions>(params: T.BankLinkCompletePaymentParams, options?: O): Reply<T.BankLinkCompletePaymentAnswer, O> {
    return this._reply<T.BankLinkCompletePaymentAnswer, O>(['bankLink.completePayment', 'POST', '/banklink/payment', {"money":true}], params, options);
  }
}

export class Fx extends Resource {
  /**
   * Get a price without a promise
   *
   * Quotes an amount in another currency, over USDC; moves and reserves nothing.
   *
   * Any API key may call it. It shows a price of now without a promise: an operation uses the rate of its own moment.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  quote(params: T.FxQuoteParams, options?: CallOptions): ApiPromise<T.FxQuoteAnswer> {
    return this._call<T.FxQuoteAnswer>(['fx.quote', 'GET', '/fx/quote'], params, options);
  }

  /**
   * List rates
   *
   * The price of one USDC in each currency, with the source and time of the rates.
   *
   * Any API key may call it. The rates are those that conversions would use now.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  listRates(params: T.FxListRatesParams = {}, options?: CallOptions): ApiPromise<T.FxListRatesAnswer> {
    return this._call<T.FxListRatesAnswer>(['fx.listRates', 'GET', '/fx/rates'], params, options);
  }

  /**
   * List currencies
   *
   * Lists the currencies of quotes, with the spread for each time that a price holds.
   *
   * Any API key may call it. Spreads are those of the client of the key. A pair of currencies may have a spread of its own, which the quote then shows.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  listCurrencies(params: T.FxListCurrenciesParams = {}, options?: CallOptions): ApiPromise<T.FxListCurrenciesAnswer> {
    return this._call<T.FxListCurrenciesAnswer>(['fx.listCurrencies', 'GET', '/fx/currencies'], params, options);
  }

  /**
   * List keys of signatures
   *
   * Lists the public keys by which the signatures of quotes are verified.
   */
  listQuoteKeys(params: T.FxListQuoteKeysParams = {}, options?: CallOptions): ApiPromise<T.FxListQuoteKeysAnswer> {
    return this._call<T.FxListQuoteKeysAnswer>(['fx.listQuoteKeys', 'GET', '/fx/quote-keys'], params, options);
  }

  /**
   * Make a quote
   *
   * Makes a price that holds for a time and is used once.
   *
   * One of the two amounts is fixed, and the other one is worked out over USDC, with a spread that grows with the time that the price holds. A quote is used by one thing, once: a conversion, or any operation that takes `quote_id`. Its price then holds even while rates are away. What ends without having moved money does not open it again. Up to 20 may be open at the same time.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createQuote<O extends CallOptions>(params: T.FxCreateQuoteParams, options?: O): Reply<T.FxCreateQuoteAnswer, O> {
    return this._reply<T.FxCreateQuoteAnswer, O>(['fx.createQuote', 'POST', '/fx/quotes', {"money":true}], params, options);
  }

  /**
   * List quotes
   *
   * Lists your quotes, newest first.
   */
  listQuotes(params: T.FxListQuotesParams = {}, options?: CallOptions): PagePromise<T.FxListQuotesAnswer, T.Row<T.FxListQuotesAnswer, 'data.items'>> {
    return this._page<T.FxListQuotesAnswer, T.Row<T.FxListQuotesAnswer, 'data.items'>>(['fx.listQuotes', 'GET', '/fx/quotes', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get a quote of yours
   *
   * Shows a quote of yours.
   *
   * `signature` is a JSON Web Signature of the terms (EdDSA, RFC 8037): its holder proves to others what the platform promised, by a key of `GET /fx/quote-keys` with the `kid` of its head. Its payload has the amounts, `sub` for the user, and `expires_at`; whether it has been used only this endpoint says.
   */
  getQuote(params: T.FxGetQuoteParams, options?: CallOptions): ApiPromise<T.FxGetQuoteAnswer> {
    return this._call<T.FxGetQuoteAnswer>(['fx.getQuote', 'GET', '/fx/quotes/{quote_id}'], params, options);
  }

  /**
   * Cancel quote
   *
   * Gives up a quote that has not been used.
   *
   * Repeated on a cancelled quote it answers the same. Nothing is charged for it.
   */
  cancelQuote(params: T.FxCancelQuoteParams, options?: CallOptions): ApiPromise<T.FxCancelQuoteAnswer> {
    return this._call<T.FxCancelQuoteAnswer>(['fx.cancelQuote', 'POST', '/fx/quotes/{quote_id}/cancel'], params, options);
  }

  /**
   * Convert by a quote
   *
   * Converts money between two wallets of yours by a quote.
   *
   * It is done at once: what the quote sells leaves the one wallet, and what it buys is in the other, which is opened where there is none. A policy that would make it wait denies it. `payment.succeeded` with the rail `fx` follows.
   */
  convert<O extends CallOptions>(params: T.FxConvertParams, options?: O): Reply<T.FxConvertAnswer, O> {
    return this._reply<T.FxConvertAnswer, O>(['fx.convert', 'POST', '/fx/conversions', {"money":true}], params, options);
  }

  /**
   * List conversions
   *
   * Lists conversions, newest first.
   *
   * Users see their own conversions, an admin those of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  listConversions(params: T.FxListConversionsParams = {}, options?: CallOptions): PagePromise<T.FxListConversionsAnswer, T.Row<T.FxListConversionsAnswer, 'data.items'>> {
    return this._page<T.FxListConversionsAnswer, T.Row<T.FxListConversionsAnswer, 'data.items'>>(['fx.listConversions', 'GET', '/fx/conversions', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get conversion
   *
   * Shows a conversion.
   */
  getConversion(params: T.FxGetConversionParams, options?: CallOptions): ApiPromise<T.FxGetConversionAnswer> {
    return this._call<T.FxGetConversionAnswer>(['fx.getConversion', 'GET', '/fx/conversions/{conversion_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a conversion, at any time.
   */
  setMetadata(params: T.FxSetMetadataParams, options?: CallOptions): ApiPromise<T.FxSetMetadataAnswer> {
    return this._call<T.FxSetMetadataAnswer>(['fx.setMetadata', 'PATCH', '/fx/conversions/{conversion_id}/metadata'], params, options);
  }

  /**
   * Quote a reversal
   *
   * Makes the quote that takes a conversion back, and says what that costs.
   *
   * The quote sells all that the conversion has bought, at a rate of now: give it to POST /fx/conversions, and the conversion is taken back, once. `cost` says what is lost by that. Nothing else uses such a quote.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  quoteReversal<O extends CallOptions>(params: T.FxQuoteReversalParams, options?: O): Reply<T.FxQuoteReversalAnswer, O> {
    return this._reply<T.FxQuoteReversalAnswer, O>(['fx.quoteReversal', 'POST', '/fx/conversions/{conversion_id}/reversal', {"money":true}], params, options);
  }

  /**
   * List spreads
   *
   * Lists the spreads of the own client, and the operator’s.
   *
   * A row of a pair counts before the row of all pairs; of one’s own row and the operator’s the higher one counts.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listSpreads(params: T.FxListSpreadsParams = {}, options?: CallOptions): ApiPromise<T.FxListSpreadsAnswer> {
    return this._call<T.FxListSpreadsAnswer>(['fx.listSpreads', 'GET', '/fx/spreads'], params, options);
  }

  /**
   * Set spreads
   *
   * Replaces the spreads of the own client, or the operator’s for all.
   *
   * All rows of the own client are replaced; quotes that exist keep their spread. A row below the operator’s is refused. The operator’s own rows need one for all pairs for each time.
   */
  setSpreads<O extends CallOptions>(params: T.FxSetSpreadsParams, options?: O): Reply<T.FxSetSpreadsAnswer, O> {
    return this._reply<T.FxSetSpreadsAnswer, O>(['fx.setSpreads', 'PUT', '/fx/spreads', {"money":true}], params, options);
  }

  /**
   * List positions
   *
   * Lists what the platform has bought and sold of each currency, and promised.
   *
   * What is posted, and what quotes that are open, or used for money that is only set aside, would add.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listPositions(params: T.FxListPositionsParams = {}, options?: CallOptions): ApiPromise<T.FxListPositionsAnswer> {
    return this._call<T.FxListPositionsAnswer>(['fx.listPositions', 'GET', '/fx/positions'], params, options);
  }

  /**
   * Set position limits
   *
   * Sets how much of each currency the platform may have bought or sold.
   *
   * Currencies that are not named keep their limit. It counts for quotes that are made from then on: those that exist keep their price.
   */
  setLimits<O extends CallOptions>(params: T.FxSetLimitsParams, options?: O): Reply<T.FxSetLimitsAnswer, O> {
    return this._reply<T.FxSetLimitsAnswer, O>(['fx.setLimits', 'PUT', '/fx/limits', {"money":true}], params, options);
  }
}

export class Fees extends Resource {
  /**
   * List fees
   *
   * Lists what is charged: the rows of the client, else the operator’s.
   *
   * Of a client’s own row and the operator’s for the same payments the client’s counts.
   *
   * **Admins need a role**: owner, developer, finance.
   */
  list(params: T.FeesListParams = {}, options?: CallOptions): ApiPromise<T.FeesListAnswer> {
    return this._call<T.FeesListAnswer>(['fees.list', 'GET', '/fees'], params, options);
  }

  /**
   * Replace fee
   *
   * Replaces all rows of the client; the operator’s count where it has none.
   *
   * A client’s rows may not be below the operator’s. The operator’s admins replace the rows of all clients.
   */
  replace<O extends CallOptions>(params: T.FeesReplaceParams, options?: O): Reply<T.FeesReplaceAnswer, O> {
    return this._reply<T.FeesReplaceAnswer, O>(['fees.replace', 'PUT', '/fees', {"money":true}], params, options);
  }
}

export class Recipients extends Resource {
  /**
   * Get requirements
   *
   * The schema of the details of a recipient, by kind, country and currency.
   *
   * Show a form by it. The same schema validates `details` of `POST /recipients`.
   */
  getRequirements(params: T.RecipientsGetRequirementsParams, options?: CallOptions): ApiPromise<T.RecipientsGetRequirementsAnswer> {
    return this._call<T.RecipientsGetRequirementsAnswer>(['recipients.getRequirements', 'GET', '/recipients/requirements'], params, options);
  }

  /**
   * Create recipient
   *
   * Adds a recipient; the bank is asked whether the account is in that name.
   *
   * The answer waits up to three seconds for the bank; without one the result is `NOT_POSSIBLE`, and the bank is asked again later (`recipient.verified`). A name that does not match is no refusal here; policies decide about payments to it.
   */
  create<O extends CallOptions>(params: T.RecipientsCreateParams, options?: O): Reply<T.RecipientsCreateAnswer, O> {
    return this._reply<T.RecipientsCreateAnswer, O>(['recipients.create', 'POST', '/recipients', {"money":true}], params, options);
  }

  /**
   * List recipients
   *
   * Lists recipients, newest first.
   */
  list(params: T.RecipientsListParams = {}, options?: CallOptions): PagePromise<T.RecipientsListAnswer, T.Row<T.RecipientsListAnswer, 'data.items'>> {
    return this._page<T.RecipientsListAnswer, T.Row<T.RecipientsListAnswer, 'data.items'>>(['recipients.list', 'GET', '/recipients', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get recipient
   *
   * Shows a recipient.
   */
  get(params: T.RecipientsGetParams, options?: CallOptions): ApiPromise<T.RecipientsGetAnswer> {
    return this._call<T.RecipientsGetAnswer>(['recipients.get', 'GET', '/recipients/{recipient_id}'], params, options);
  }

  /**
   * Update recipient
   *
   * Changes a recipient; another account is verified, and paid after 24 hours.
   *
   * `details` replace all of them. A payment that waits for its time, and was asked for with another account, fails then (`CONTENT_CHANGED`).
   */
  update<O extends CallOptions>(params: T.RecipientsUpdateParams, options?: O): Reply<T.RecipientsUpdateAnswer, O> {
    return this._reply<T.RecipientsUpdateAnswer, O>(['recipients.update', 'PATCH', '/recipients/{recipient_id}', {"money":true}], params, options);
  }

  /**
   * Delete recipient
   *
   * Hides a recipient to whom no payment is open.
   *
   * Payments made to it stay as they are.
   */
  delete(params: T.RecipientsDeleteParams, options?: CallOptions): ApiPromise<T.RecipientsDeleteAnswer> {
    return this._call<T.RecipientsDeleteAnswer>(['recipients.delete', 'DELETE', '/recipients/{recipient_id}'], params, options);
  }

  /**
   * Verify recipient
   *
   * Asks the bank again whether the account is in that name, ten times a day.
   */
  verify(params: T.RecipientsVerifyParams, options?: CallOptions): ApiPromise<T.RecipientsVerifyAnswer> {
    return this._call<T.RecipientsVerifyAnswer>(['recipients.verify', 'POST', '/recipients/{recipient_id}/verify'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a recipient, at any time.
   */
  setMetadata(params: T.RecipientsSetMetadataParams, options?: CallOptions): ApiPromise<T.RecipientsSetMetadataAnswer> {
    return this._call<T.RecipientsSetMetadataAnswer>(['recipients.setMetadata', 'PATCH', '/recipients/{recipient_id}/metadata'], params, options);
  }
}

export class Withdrawals extends Resource {
  /**
   * Create withdrawal
   *
   * Pays a bank account, or a wallet, out of a wallet, now or at a later time.
   *
   * The recipient is a bank account or a wallet of the client. An admin prepares it for a user of the client: it then waits for another person’s approval, and is refused where no policy asks for one. Amount and fee are held first. A policy may make it wait; so does a recipient whose account was changed in the last 24 hours (`held_by_policy`). What the bank has not answered within three seconds is answered as `PROCESSING`, and looked up by itself. `payout.succeeded`, `payout.failed` or `payout.returned` follow.
   */
  create<O extends CallOptions>(params: T.WithdrawalsCreateParams, options?: O): Reply<T.WithdrawalsCreateAnswer, O> {
    return this._reply<T.WithdrawalsCreateAnswer, O>(['withdrawals.create', 'POST', '/wallets/fiat/{wallet_id}/withdrawals', {"money":true}], params, options);
  }

  /**
   * List withdrawals
   *
   * Lists the withdrawals of a wallet, newest first.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.WithdrawalsListParams, options?: CallOptions): PagePromise<T.WithdrawalsListAnswer, T.Row<T.WithdrawalsListAnswer, 'data.items'>> {
    return this._page<T.WithdrawalsListAnswer, T.Row<T.WithdrawalsListAnswer, 'data.items'>>(['withdrawals.list', 'GET', '/wallets/fiat/{wallet_id}/withdrawals', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get withdrawal
   *
   * Shows a withdrawal.
   */
  get(params: T.WithdrawalsGetParams, options?: CallOptions): ApiPromise<T.WithdrawalsGetAnswer> {
    return this._call<T.WithdrawalsGetAnswer>(['withdrawals.get', 'GET', '/wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a withdrawal, at any time.
   */
  setMetadata(params: T.WithdrawalsSetMetadataParams, options?: CallOptions): ApiPromise<T.WithdrawalsSetMetadataAnswer> {
    return this._call<T.WithdrawalsSetMetadataAnswer>(['withdrawals.setMetadata', 'PATCH', '/wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/metadata'], params, options);
  }

  /**
   * Cancel withdrawal
   *
   * Cancels a withdrawal that the bank was not asked for yet.
   *
   * Once the bank is asked, nothing can be called off.
   */
  cancel<O extends CallOptions>(params: T.WithdrawalsCancelParams, options?: O): Reply<T.WithdrawalsCancelAnswer, O> {
    return this._reply<T.WithdrawalsCancelAnswer, O>(['withdrawals.cancel', 'POST', '/wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/cancel', {"money":true}], params, options);
  }
}

export class Batches extends Resource {
  /**
   * Create batche
   *
   * Drafts up to 10,000 payments out of a wallet; rows that cannot be paid are listed.
   *
   * The body is JSON, a CSV table (UTF-8, a head of column names, `,` or `;`; columns `recipient_id`, or `name, kind, country, currency, bank_code, account_number, wallet_id`, and `amount, reference, note`), or a pain.001.001.03 or .09 with one PmtInf, whose DbtrAcct/Id/Othr/Id is the wallet. Nothing is held by it. Each row is checked; those that cannot be paid are in `errors` by their line, and with any of them the batch cannot be submitted. Fees are those of this moment and belong to what is approved. With `quote_id` its payments are in the currency that the quote buys and come to exactly what it buys: what leaves the wallet is shared among them. The quote is used when the money is held, and its rate holds from then on; payments that fail are not tried again by it.
   */
  create<O extends CallOptions>(params: T.BatchesCreateParams = {}, options?: O): Reply<T.BatchesCreateAnswer, O> {
    return this._reply<T.BatchesCreateAnswer, O>(['batches.create', 'POST', '/batches', {"money":true}], params, options);
  }

  /**
   * List batches
   *
   * Lists batches, newest first.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.BatchesListParams = {}, options?: CallOptions): PagePromise<T.BatchesListAnswer, T.Row<T.BatchesListAnswer, 'data.items'>> {
    return this._page<T.BatchesListAnswer, T.Row<T.BatchesListAnswer, 'data.items'>>(['batches.list', 'GET', '/batches', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get batche
   *
   * Shows a batch, and how far it is.
   */
  get(params: T.BatchesGetParams, options?: CallOptions): ApiPromise<T.BatchesGetAnswer> {
    return this._call<T.BatchesGetAnswer>(['batches.get', 'GET', '/batches/{batch_id}'], params, options);
  }

  /**
   * Update batche
   *
   * Changes name or time of a batch; what was submitted is a draft again.
   */
  update<O extends CallOptions>(params: T.BatchesUpdateParams, options?: O): Reply<T.BatchesUpdateAnswer, O> {
    return this._reply<T.BatchesUpdateAnswer, O>(['batches.update', 'PATCH', '/batches/{batch_id}', {"money":true}], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a batch, at any time.
   */
  setMetadata(params: T.BatchesSetMetadataParams, options?: CallOptions): ApiPromise<T.BatchesSetMetadataAnswer> {
    return this._call<T.BatchesSetMetadataAnswer>(['batches.setMetadata', 'PATCH', '/batches/{batch_id}/metadata'], params, options);
  }

  /**
   * List items
   *
   * Lists the payments of a batch in the order of their lines.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  listItems(params: T.BatchesListItemsParams, options?: CallOptions): PagePromise<T.BatchesListItemsAnswer, T.Row<T.BatchesListItemsAnswer, 'data.items'>> {
    return this._page<T.BatchesListItemsAnswer, T.Row<T.BatchesListItemsAnswer, 'data.items'>>(['batches.listItems', 'GET', '/batches/{batch_id}/items', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Replace items
   *
   * Puts other payments in the place of all; what was submitted is a draft again.
   */
  replaceItems<O extends CallOptions>(params: T.BatchesReplaceItemsParams, options?: O): Reply<T.BatchesReplaceItemsAnswer, O> {
    return this._reply<T.BatchesReplaceItemsAnswer, O>(['batches.replaceItems', 'PUT', '/batches/{batch_id}/items', {"money":true}], params, options);
  }

  /**
   * Submit batche
   *
   * Submits a batch as it was read, for others to approve it.
   *
   * Names the `content_hash` that was read, and takes the references of its payments: each is paid once over all batches of the client. Policies decide; the operator’s first one asks for one approval.
   */
  submit<O extends CallOptions>(params: T.BatchesSubmitParams, options?: O): Reply<T.BatchesSubmitAnswer, O> {
    return this._reply<T.BatchesSubmitAnswer, O>(['batches.submit', 'POST', '/batches/{batch_id}/submit', {"money":true}], params, options);
  }

  /**
   * Approve batche
   *
   * Approves a batch; with the last approval that is needed its money is held.
   *
   * Names version and content of what was read. Its submitter cannot approve it; of a client with one admin the operator does. Where the wallet has too little it is refused, and nothing changes.
   */
  approve<O extends CallOptions>(params: T.BatchesApproveParams, options?: O): Reply<T.BatchesApproveAnswer, O> {
    return this._reply<T.BatchesApproveAnswer, O>(['batches.approve', 'POST', '/batches/{batch_id}/approve', {"money":true}], params, options);
  }

  /**
   * Reject batche
   *
   * Rejects a batch; nothing of it is paid.
   */
  reject<O extends CallOptions>(params: T.BatchesRejectParams, options?: O): Reply<T.BatchesRejectAnswer, O> {
    return this._reply<T.BatchesRejectAnswer, O>(['batches.reject', 'POST', '/batches/{batch_id}/reject', {"money":true}], params, options);
  }

  /**
   * Cancel batche
   *
   * Calls off the payments of a batch that have not begun, and frees their money.
   *
   * Payments that are on their way end as they end; the batch is over after the last of them.
   */
  cancel<O extends CallOptions>(params: T.BatchesCancelParams, options?: O): Reply<T.BatchesCancelAnswer, O> {
    return this._reply<T.BatchesCancelAnswer, O>(['batches.cancel', 'POST', '/batches/{batch_id}/cancel', {"money":true}], params, options);
  }

  /**
   * Retry batche
   *
   * Pays the failed payments of a batch again that may be tried again.
   *
   * Those of whom no provider was asked, as where the wallet was frozen, under the same references.
   */
  retry<O extends CallOptions>(params: T.BatchesRetryParams, options?: O): Reply<T.BatchesRetryAnswer, O> {
    return this._reply<T.BatchesRetryAnswer, O>(['batches.retry', 'POST', '/batches/{batch_id}/retry', {"money":true}], params, options);
  }

  /**
   * Get result
   *
   * The payments of a batch with their outcomes, as a table.
   *
   * Cells that a spreadsheet would compute have an apostrophe before them.
   */
  getResult(params: T.BatchesGetResultParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['batches.getResult', 'GET', '/batches/{batch_id}/result.csv', {"answer":"bytes"}], params, options);
  }

  /**
   * Get status report
   *
   * Where the payments of a batch stand, as pain.002.001.10 of ISO 20022.
   *
   * Codes are `PDNG`, `ACCP`, `ACSC` and `RJCT` with its reason. A reference that is longer than ISO’s 35 characters is replaced by the id of the payment.
   */
  getStatusReport(params: T.BatchesGetStatusReportParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['batches.getStatusReport', 'GET', '/batches/{batch_id}/pain.002', {"answer":"bytes"}], params, options);
  }

  /**
   * Get notification
   *
   * What a batch has booked on its wallet, as camt.054.001.08 of ISO 20022.
   */
  getNotification(params: T.BatchesGetNotificationParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['batches.getNotification', 'GET', '/batches/{batch_id}/camt.054', {"answer":"bytes"}], params, options);
  }
}

export class WalletTransfers extends Resource {
  /**
   * Send wallet transfer
   *
   * Sends money to a wallet, a person or an address, or splits it among several.
   *
   * It arrives at once where the receiver is known: their wallet in that currency is opened where there is none, and a frozen one receives. Money to a number, or to an address that no person of the client has confirmed, is held and mailed with a link by which its owner claims it. A policy may make it wait for an approval or a time. `wallet_transfer.completed` or `wallet_transfer.pending` follows.
   */
  send<O extends CallOptions>(params: T.WalletTransfersSendParams, options?: O): Reply<T.WalletTransfersSendAnswer, O> {
    return this._reply<T.WalletTransfersSendAnswer, O>(['walletTransfers.send', 'POST', '/wallets/fiat/transfers', {"money":true}], params, options);
  }

  /**
   * List wallet transfers
   *
   * Lists what one has sent and received, newest first.
   *
   * Receivers see what has arrived, and of a split their own part.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.WalletTransfersListParams = {}, options?: CallOptions): PagePromise<T.WalletTransfersListAnswer, T.Row<T.WalletTransfersListAnswer, 'data.items'>> {
    return this._page<T.WalletTransfersListAnswer, T.Row<T.WalletTransfersListAnswer, 'data.items'>>(['walletTransfers.list', 'GET', '/wallets/fiat/transfers', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get wallet transfer
   *
   * Shows a transfer to either side.
   */
  get(params: T.WalletTransfersGetParams, options?: CallOptions): ApiPromise<T.WalletTransfersGetAnswer> {
    return this._call<T.WalletTransfersGetAnswer>(['walletTransfers.get', 'GET', '/wallets/fiat/transfers/{transfer_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a transfer that one has sent, at any time.
   */
  setMetadata(params: T.WalletTransfersSetMetadataParams, options?: CallOptions): ApiPromise<T.WalletTransfersSetMetadataAnswer> {
    return this._call<T.WalletTransfersSetMetadataAnswer>(['walletTransfers.setMetadata', 'PATCH', '/wallets/fiat/transfers/{transfer_id}/metadata'], params, options);
  }

  /**
   * Cancel wallet transfer
   *
   * Takes a transfer back that has not arrived.
   *
   * Only its sender does so, while it waits. The money is free again, and the fee is not charged.
   */
  cancel<O extends CallOptions>(params: T.WalletTransfersCancelParams, options?: O): Reply<T.WalletTransfersCancelAnswer, O> {
    return this._reply<T.WalletTransfersCancelAnswer, O>(['walletTransfers.cancel', 'POST', '/wallets/fiat/transfers/{transfer_id}/cancel', {"money":true}], params, options);
  }

  /**
   * Claim wallet transfer
   *
   * Takes money that was sent to an address of one’s own.
   *
   * By the person whose confirmed address or number it was sent to, once. The link in the message has the token.
   */
  claim<O extends CallOptions>(params: T.WalletTransfersClaimParams, options?: O): Reply<T.WalletTransfersClaimAnswer, O> {
    return this._reply<T.WalletTransfersClaimAnswer, O>(['walletTransfers.claim', 'POST', '/wallets/fiat/transfers/{transfer_id}/claim', {"money":true,"secret":true}], params, options);
  }
}

export class PaymentRequests extends Resource {
  /**
   * Create payment request
   *
   * Asks a person or the owner of an address for money.
   *
   * A known person finds it in their list; an address without an account gets a message, and its owner finds the request there once they have confirmed the address. A hundred a day and user, to twenty new addresses at the most. `payment_request.created` follows.
   */
  create<O extends CallOptions>(params: T.PaymentRequestsCreateParams, options?: O): Reply<T.PaymentRequestsCreateAnswer, O> {
    return this._reply<T.PaymentRequestsCreateAnswer, O>(['paymentRequests.create', 'POST', '/wallets/fiat/requests', {"money":true}], params, options);
  }

  /**
   * List payment requests
   *
   * Lists what one asks for and is asked for, newest first.
   *
   * The asker’s side is `sent`.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.PaymentRequestsListParams = {}, options?: CallOptions): PagePromise<T.PaymentRequestsListAnswer, T.Row<T.PaymentRequestsListAnswer, 'data.items'>> {
    return this._page<T.PaymentRequestsListAnswer, T.Row<T.PaymentRequestsListAnswer, 'data.items'>>(['paymentRequests.list', 'GET', '/wallets/fiat/requests', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get payment request
   *
   * Shows a request for money to either side.
   */
  get(params: T.PaymentRequestsGetParams, options?: CallOptions): ApiPromise<T.PaymentRequestsGetAnswer> {
    return this._call<T.PaymentRequestsGetAnswer>(['paymentRequests.get', 'GET', '/wallets/fiat/requests/{request_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a request for money of one’s own, at any time.
   */
  setMetadata(params: T.PaymentRequestsSetMetadataParams, options?: CallOptions): ApiPromise<T.PaymentRequestsSetMetadataAnswer> {
    return this._call<T.PaymentRequestsSetMetadataAnswer>(['paymentRequests.setMetadata', 'PATCH', '/wallets/fiat/requests/{request_id}/metadata'], params, options);
  }

  /**
   * Accept payment request
   *
   * Pays a request for money from a wallet of one’s own, once.
   *
   * By the person who is asked, once, from a wallet in the same currency or by a quote. Policies for transfers count: the transfer may wait for an approval or a time, and is shown by `transfer_id`. Accepted again by the same person it answers the same. `payment_request.accepted` follows.
   */
  accept<O extends CallOptions>(params: T.PaymentRequestsAcceptParams, options?: O): Reply<T.PaymentRequestsAcceptAnswer, O> {
    return this._reply<T.PaymentRequestsAcceptAnswer, O>(['paymentRequests.accept', 'POST', '/wallets/fiat/requests/{request_id}/accept', {"money":true}], params, options);
  }

  /**
   * Decline payment request
   *
   * Says no to a request for money.
   *
   * By the person who is asked.
   */
  decline(params: T.PaymentRequestsDeclineParams, options?: CallOptions): ApiPromise<T.PaymentRequestsDeclineAnswer> {
    return this._call<T.PaymentRequestsDeclineAnswer>(['paymentRequests.decline', 'POST', '/wallets/fiat/requests/{request_id}/decline'], params, options);
  }

  /**
   * Cancel payment request
   *
   * Takes one’s own request for money back.
   *
   * By the person who has asked.
   */
  cancel(params: T.PaymentRequestsCancelParams, options?: CallOptions): ApiPromise<T.PaymentRequestsCancelAnswer> {
    return this._call<T.PaymentRequestsCancelAnswer>(['paymentRequests.cancel', 'POST', '/wallets/fiat/requests/{request_id}/cancel'], params, options);
  }
}

export class WalletHolds extends Resource {
  /**
   * Place wallet hold
   *
   * Sets money of one’s own aside for somebody, who takes it in parts.
   *
   * The payer does so, and cannot take it back: what is not taken is free again at its end. `wallet_hold.placed` follows.
   */
  place<O extends CallOptions>(params: T.WalletHoldsPlaceParams, options?: O): Reply<T.WalletHoldsPlaceAnswer, O> {
    return this._reply<T.WalletHoldsPlaceAnswer, O>(['walletHolds.place', 'POST', '/wallets/fiat/{wallet_id}/holds', {"money":true}], params, options);
  }

  /**
   * List wallet holds
   *
   * Lists what one has set aside for others, and others for oneself, newest first.
   *
   * The payer’s side is `sent`.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.WalletHoldsListParams = {}, options?: CallOptions): PagePromise<T.WalletHoldsListAnswer, T.Row<T.WalletHoldsListAnswer, 'data.items'>> {
    return this._page<T.WalletHoldsListAnswer, T.Row<T.WalletHoldsListAnswer, 'data.items'>>(['walletHolds.list', 'GET', '/wallets/fiat/holds', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get wallet hold
   *
   * Shows a hold to either side.
   */
  get(params: T.WalletHoldsGetParams, options?: CallOptions): ApiPromise<T.WalletHoldsGetAnswer> {
    return this._call<T.WalletHoldsGetAnswer>(['walletHolds.get', 'GET', '/wallets/fiat/holds/{hold_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of money that one has set aside, at any time.
   */
  setMetadata(params: T.WalletHoldsSetMetadataParams, options?: CallOptions): ApiPromise<T.WalletHoldsSetMetadataAnswer> {
    return this._call<T.WalletHoldsSetMetadataAnswer>(['walletHolds.setMetadata', 'PATCH', '/wallets/fiat/holds/{hold_id}/metadata'], params, options);
  }

  /**
   * Capture wallet hold
   *
   * Takes money that was set aside for oneself, all or a part.
   *
   * Its payee takes it, in several parts until nothing remains. `final` ends it with this part. Its payer is charged the fee in proportion.
   */
  capture<O extends CallOptions>(params: T.WalletHoldsCaptureParams, options?: O): Reply<T.WalletHoldsCaptureAnswer, O> {
    return this._reply<T.WalletHoldsCaptureAnswer, O>(['walletHolds.capture', 'POST', '/wallets/fiat/holds/{hold_id}/capture', {"money":true}], params, options);
  }

  /**
   * Void wallet hold
   *
   * Gives up what is left of money that was set aside for oneself.
   *
   * Its payee does so, or an admin of the client; never its payer.
   */
  void<O extends CallOptions>(params: T.WalletHoldsVoidParams, options?: O): Reply<T.WalletHoldsVoidAnswer, O> {
    return this._reply<T.WalletHoldsVoidAnswer, O>(['walletHolds.void', 'POST', '/wallets/fiat/holds/{hold_id}/void', {"money":true}], params, options);
  }
}

export class BalanceMonitors extends Resource {
  /**
   * Create balance monitor
   *
   * Watches a balance: an event each time that it goes below or above an amount.
   *
   * At most ten a wallet. `wallet.threshold_crossed` comes once for each crossing, within seconds: after a movement by which the condition holds, where it did not hold before. A condition that holds already when the monitor is added crosses once it has ceased to hold.
   */
  create(params: T.BalanceMonitorsCreateParams, options?: CallOptions): ApiPromise<T.BalanceMonitorsCreateAnswer> {
    return this._call<T.BalanceMonitorsCreateAnswer>(['balanceMonitors.create', 'POST', '/wallets/fiat/{wallet_id}/monitors'], params, options);
  }

  /**
   * List balance monitors
   *
   * Lists the monitors of a wallet, newest first.
   */
  list(params: T.BalanceMonitorsListParams, options?: CallOptions): PagePromise<T.BalanceMonitorsListAnswer, T.Row<T.BalanceMonitorsListAnswer, 'data.items'>> {
    return this._page<T.BalanceMonitorsListAnswer, T.Row<T.BalanceMonitorsListAnswer, 'data.items'>>(['balanceMonitors.list', 'GET', '/wallets/fiat/{wallet_id}/monitors', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Delete balance monitor
   *
   * Watches a balance no more.
   *
   * A crossing that was not looked at by then has no event.
   */
  delete(params: T.BalanceMonitorsDeleteParams, options?: CallOptions): ApiPromise<T.BalanceMonitorsDeleteAnswer> {
    return this._call<T.BalanceMonitorsDeleteAnswer>(['balanceMonitors.delete', 'DELETE', '/wallets/fiat/{wallet_id}/monitors/{monitor_id}'], params, options);
  }
}

export class Invoices extends Resource {
  /**
   * Create invoice
   *
   * Asks for money, which arrives in one’s own wallet and those that get a part.
   *
   * It is paid as a whole, or with `allow_partial` in parts, which wait until all is there. What `split` names goes to the other wallets in the posting that pays it; the rest, less the fee of the moment, arrives in the wallet of the invoice. `invoice.created` follows.
   */
  create<O extends CallOptions>(params: T.InvoicesCreateParams, options?: O): Reply<T.InvoicesCreateAnswer, O> {
    return this._reply<T.InvoicesCreateAnswer, O>(['invoices.create', 'POST', '/payment-gateway/invoices', {"money":true}], params, options);
  }

  /**
   * List invoices
   *
   * Lists invoices, newest first.
   *
   * Users see their own, admins those of their client. A page with filters looks through a thousand invoices: it may be short although the list goes on.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.InvoicesListParams = {}, options?: CallOptions): PagePromise<T.InvoicesListAnswer, T.Row<T.InvoicesListAnswer, 'data.items'>> {
    return this._page<T.InvoicesListAnswer, T.Row<T.InvoicesListAnswer, 'data.items'>>(['invoices.list', 'GET', '/payment-gateway/invoices', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get invoice
   *
   * Shows an invoice with its payments.
   */
  get(params: T.InvoicesGetParams, options?: CallOptions): ApiPromise<T.InvoicesGetAnswer> {
    return this._call<T.InvoicesGetAnswer>(['invoices.get', 'GET', '/payment-gateway/invoices/{invoice_id}'], params, options);
  }

  /**
   * Cancel invoice
   *
   * Asks for the money no more.
   *
   * Only while it is OPEN or PARTIALLY_PAID. Its merchant does so, or an admin of the client. Parts that were paid are owed to their payers; what is being tried is ended at the gateway. `invoice.cancelled` follows.
   */
  cancel(params: T.InvoicesCancelParams, options?: CallOptions): ApiPromise<T.InvoicesCancelAnswer> {
    return this._call<T.InvoicesCancelAnswer>(['invoices.cancel', 'POST', '/payment-gateway/invoices/{invoice_id}/cancel'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of an invoice, at any time.
   *
   * By its merchant or an admin of the client, also after it has ended. Keys are merged; null removes one. No event follows.
   */
  setMetadata(params: T.InvoicesSetMetadataParams, options?: CallOptions): ApiPromise<T.InvoicesSetMetadataAnswer> {
    return this._call<T.InvoicesSetMetadataAnswer>(['invoices.setMetadata', 'PATCH', '/payment-gateway/invoices/{invoice_id}/metadata'], params, options);
  }

  /**
   * Pay invoice
   *
   * Pays an invoice of another person of the client from one’s own wallet.
   *
   * By any other person of the client who has its id; of several at once one pays. A policy of transfers may deny it; it cannot wait for an approval. `payment.succeeded` and `invoice.paid` follow.
   */
  pay<O extends CallOptions>(params: T.InvoicesPayParams, options?: O): Reply<T.InvoicesPayAnswer, O> {
    return this._reply<T.InvoicesPayAnswer, O>(['invoices.pay', 'POST', '/payment-gateway/invoices/{invoice_id}/pay', {"money":true}], params, options);
  }

  /**
   * List methods
   *
   * The ways to pay invoices in a currency that the client offers, with its fees.
   *
   * In rupiah by QRIS, virtual account and e-wallet, where the gateway is set up; in every currency from a wallet, and by card on the page of the invoice. What the client or the operator has switched off is not among them.
   */
  listMethods(params: T.InvoicesListMethodsParams, options?: CallOptions): ApiPromise<T.InvoicesListMethodsAnswer> {
    return this._call<T.InvoicesListMethodsAnswer>(['invoices.listMethods', 'GET', '/payment-gateway/methods'], params, options);
  }
}

export class InvoicePayments extends Resource {
  /**
   * Create invoice payment
   *
   * Begins a payment of all that is owed by the gateway, and answers where to pay it.
   *
   * `action` says where the payer pays. One is open for a method: an earlier one is ended at the gateway first, and counts where its payer was faster. Without an answer of the gateway the payment is in doubt, and is looked up. `payment.pending` follows, and once the money is there `payment.succeeded` with `invoice.paid` or `invoice.partially_paid`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  create<O extends CallOptions>(params: T.InvoicePaymentsCreateParams, options?: O): Reply<T.InvoicePaymentsCreateAnswer, O> {
    return this._reply<T.InvoicePaymentsCreateAnswer, O>(['invoicePayments.create', 'POST', '/payment-gateway/invoices/{invoice_id}/payments', {"money":true}], params, options);
  }

  /**
   * Get invoice payment
   *
   * Shows a payment of an invoice, and where it is paid.
   *
   * By the merchant, the payer of a wallet, or an admin of the client.
   */
  get(params: T.InvoicePaymentsGetParams, options?: CallOptions): ApiPromise<T.InvoicePaymentsGetAnswer> {
    return this._call<T.InvoicePaymentsGetAnswer>(['invoicePayments.get', 'GET', '/payment-gateway/payments/{payment_id}'], params, options);
  }

  /**
   * Cancel invoice payment
   *
   * Calls a payment off, as far as its payer was not faster.
   *
   * It is ended at the gateway. Where its payer was faster it counts, and the answer is 409.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  cancel(params: T.InvoicePaymentsCancelParams, options?: CallOptions): ApiPromise<T.InvoicePaymentsCancelAnswer> {
    return this._call<T.InvoicePaymentsCancelAnswer>(['invoicePayments.cancel', 'POST', '/payment-gateway/payments/{payment_id}/cancel'], params, options);
  }
}

export class UnmatchedPayments extends Resource {
  /**
   * List unmatched payments
   *
   * Lists money that has come in and pays no invoice, newest first.
   *
   * Admins see those of their client, the operator all.
   */
  list(params: T.UnmatchedPaymentsListParams = {}, options?: CallOptions): PagePromise<T.UnmatchedPaymentsListAnswer, T.Row<T.UnmatchedPaymentsListAnswer, 'data.items'>> {
    return this._page<T.UnmatchedPaymentsListAnswer, T.Row<T.UnmatchedPaymentsListAnswer, 'data.items'>>(['unmatchedPayments.list', 'GET', '/payment-gateway/unmatched', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get unmatched payment
   *
   * Shows money that pays no invoice.
   */
  get(params: T.UnmatchedPaymentsGetParams, options?: CallOptions): ApiPromise<T.UnmatchedPaymentsGetAnswer> {
    return this._call<T.UnmatchedPaymentsGetAnswer>(['unmatchedPayments.get', 'GET', '/payment-gateway/unmatched/{unmatched_id}'], params, options);
  }

  /**
   * Assign unmatched payment
   *
   * Pays an invoice of the client with such money, once; the rest stays owed.
   *
   * To an invoice of the same client that is open. It takes a part of what it asks for only with `allow_partial`. `invoice_payment.assigned`, `payment.succeeded` and the event of the invoice follow.
   */
  assign<O extends CallOptions>(params: T.UnmatchedPaymentsAssignParams, options?: O): Reply<T.UnmatchedPaymentsAssignAnswer, O> {
    return this._reply<T.UnmatchedPaymentsAssignAnswer, O>(['unmatchedPayments.assign', 'POST', '/payment-gateway/unmatched/{unmatched_id}/assign', {"money":true}], params, options);
  }

  /**
   * Mark refunded
   *
   * Says that the payer has got it back by other means; for the operator.
   *
   * All that is owed of it. `invoice_payment.refunded` follows.
   */
  markRefunded<O extends CallOptions>(params: T.UnmatchedPaymentsMarkRefundedParams, options?: O): Reply<T.UnmatchedPaymentsMarkRefundedAnswer, O> {
    return this._reply<T.UnmatchedPaymentsMarkRefundedAnswer, O>(['unmatchedPayments.markRefunded', 'POST', '/payment-gateway/unmatched/{unmatched_id}/mark-refunded', {"money":true}], params, options);
  }

  /**
   * Write off
   *
   * Gives such money up; for the operator.
   *
   * All that is owed of it. `invoice_payment.written_off` follows.
   */
  writeOff<O extends CallOptions>(params: T.UnmatchedPaymentsWriteOffParams, options?: O): Reply<T.UnmatchedPaymentsWriteOffAnswer, O> {
    return this._reply<T.UnmatchedPaymentsWriteOffAnswer, O>(['unmatchedPayments.writeOff', 'POST', '/payment-gateway/unmatched/{unmatched_id}/write-off', {"money":true}], params, options);
  }

  /**
   * Refund unmatched payment
   *
   * Gives all that is owed of such money back to a bank account.
   *
   * To the bank account of `recipient_id`; without it the customer of the invoice is mailed a link to a page that asks for one, which is `claim_url` of this answer, too. It is REFUNDED once the bank has it, and OPEN again where it does not arrive. `invoice_payment.refunding`, then `invoice_payment.refunded` or `invoice_payment.unmatched` follow.
   */
  refund<O extends CallOptions>(params: T.UnmatchedPaymentsRefundParams, options?: O): Reply<T.UnmatchedPaymentsRefundAnswer, O> {
    return this._reply<T.UnmatchedPaymentsRefundAnswer, O>(['unmatchedPayments.refund', 'POST', '/payment-gateway/unmatched/{unmatched_id}/refund', {"money":true}], params, options);
  }
}

export class PaymentLinks extends Resource {
  /**
   * Create payment link
   *
   * Makes an address by which people pay into one’s own wallet.
   *
   * With `amount`, or with `min` and `max` for an amount that the payer names; `usage` is `once` or `many`, up to `max_payments`. The money arrives in the wallet of the currency, which is opened. `payment_link.created` follows.
   */
  create<O extends CallOptions>(params: T.PaymentLinksCreateParams, options?: O): Reply<T.PaymentLinksCreateAnswer, O> {
    return this._reply<T.PaymentLinksCreateAnswer, O>(['paymentLinks.create', 'POST', '/payment-gateway/links', {"money":true}], params, options);
  }

  /**
   * List payment links
   *
   * Lists links, newest first.
   *
   * Users see their own, admins those of their client. A page with filters looks through a thousand links: it may be short although the list goes on.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.PaymentLinksListParams = {}, options?: CallOptions): PagePromise<T.PaymentLinksListAnswer, T.Row<T.PaymentLinksListAnswer, 'data.items'>> {
    return this._page<T.PaymentLinksListAnswer, T.Row<T.PaymentLinksListAnswer, 'data.items'>>(['paymentLinks.list', 'GET', '/payment-gateway/links', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get payment link
   *
   * Shows a link.
   *
   * With its address, by its merchant or an admin of the client.
   */
  get(params: T.PaymentLinksGetParams, options?: CallOptions): ApiPromise<T.PaymentLinksGetAnswer> {
    return this._call<T.PaymentLinksGetAnswer>(['paymentLinks.get', 'GET', '/payment-gateway/links/{link_id}'], params, options);
  }

  /**
   * Update payment link
   *
   * Pauses a link, opens it again, or changes what it says.
   *
   * While it is ACTIVE or PAUSED: what has ended stays so. Invoices that are open stay as they were asked for. `payment_link.changed` follows.
   */
  update<O extends CallOptions>(params: T.PaymentLinksUpdateParams, options?: O): Reply<T.PaymentLinksUpdateAnswer, O> {
    return this._reply<T.PaymentLinksUpdateAnswer, O>(['paymentLinks.update', 'PATCH', '/payment-gateway/links/{link_id}', {"money":true}], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a link, at any time.
   *
   * By its merchant or an admin of the client, also after it has ended. Keys are merged; null removes one. No event follows.
   */
  setMetadata(params: T.PaymentLinksSetMetadataParams, options?: CallOptions): ApiPromise<T.PaymentLinksSetMetadataAnswer> {
    return this._call<T.PaymentLinksSetMetadataAnswer>(['paymentLinks.setMetadata', 'PATCH', '/payment-gateway/links/{link_id}/metadata'], params, options);
  }

  /**
   * Show payment link
   *
   * A page for people, whose button makes an invoice of the link.
   *
   * In English or Indonesian. A look makes nothing. Another key, and a link of a merchant who is stopped, are 404.
   */
  show(params: T.PaymentLinksShowParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['paymentLinks.show', 'GET', '/payment-gateway/pay/{key}', {"answer":"text"}], params, options);
  }

  /**
   * Press payment link
   *
   * Makes the invoice of a press, and goes on to its page.
   *
   * As a form of the page sends it, or as JSON. The invoice can be paid for an hour and has one of the places of the link so long; of many presses at once no more come through than there are places. It goes on to the page of the invoice (303). Networks and clients have a budget of presses.
   */
  press(params: T.PaymentLinksPressParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['paymentLinks.press', 'POST', '/payment-gateway/pay/{key}', {"query":["lang"],"answer":"text"}], params, options);
  }

  /**
   * Get logo
   *
   * The picture of the client, for the page.
   *
   * Where the client has one in its settings.
   */
  getLogo(params: T.PaymentLinksGetLogoParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['paymentLinks.getLogo', 'GET', '/payment-gateway/pay/{key}/logo', {"answer":"bytes"}], params, options);
  }
}

export class GatewaySettings extends Resource {
  /**
   * Get gateway setting
   *
   * How the client appears to payers, and which ways to pay it offers.
   *
   * An admin reads those of the own client. Before they are set the version is 0.
   *
   * **Admins need a role**: owner, developer, finance.
   */
  get(params: T.GatewaySettingsGetParams = {}, options?: CallOptions): ApiPromise<T.GatewaySettingsGetAnswer> {
    return this._call<T.GatewaySettingsGetAnswer>(['gatewaySettings.get', 'GET', '/payment-gateway/settings'], params, options);
  }

  /**
   * Replace gateway setting
   *
   * Replaces how the client appears to payers, and which ways to pay it offers.
   *
   * An admin sets them for the own client. What is switched off is refused from then on, also where an invoice is open; what the operator has switched off is off for all. `gateway_settings.updated` follows.
   */
  replace(params: T.GatewaySettingsReplaceParams, options?: CallOptions): ApiPromise<T.GatewaySettingsReplaceAnswer> {
    return this._call<T.GatewaySettingsReplaceAnswer>(['gatewaySettings.replace', 'PUT', '/payment-gateway/settings'], params, options);
  }

  /**
   * Make secret
   *
   * Makes the secret that signs return addresses, instead of an earlier one.
   *
   * The address to which a payer returns has `sig` then: HMAC-SHA256 in hex, under this text, over `invoice_id`, `status` and `ts`, joined by dots. The earlier secret is gone.
   *
   * **Admins need a role**: owner.
   */
  makeSecret(params: T.GatewaySettingsMakeSecretParams = {}, options?: CallOptions): ApiPromise<T.GatewaySettingsMakeSecretAnswer> {
    return this._call<T.GatewaySettingsMakeSecretAnswer>(['gatewaySettings.makeSecret', 'POST', '/payment-gateway/settings/return-secret'], params, options);
  }
}

export class Checkout extends Resource {
  /**
   * Show checkout
   *
   * A page for people, on which they pay the invoice. Its address is in the invoice.
   *
   * In English or Indonesian, by `Accept-Language` or `?lang=`. It names the seller, what is sold, the amount, the time left and the ways to pay; it follows the invoice by itself, and works without script up to its reload. Another key, and an unknown invoice, are 404. The pages that `embed_origins` names may show it in a frame.
   */
  show(params: T.CheckoutShowParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['checkout.show', 'GET', '/payment-gateway/checkout/{invoice_id}', {"answer":"text"}], params, options);
  }

  /**
   * Pay checkout
   *
   * Begins a payment in the pressed way, and shows the page again.
   *
   * As a form of the page sends it, or as JSON; it goes on to the page (303). A way that is tried already is shown again. What is refused is said on the page, with the status of the refusal. Networks and clients have a budget of such payments.
   */
  pay(params: T.CheckoutPayParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['checkout.pay', 'POST', '/payment-gateway/checkout/{invoice_id}/payments', {"query":["key","lang"],"answer":"text"}], params, options);
  }

  /**
   * Pay by card
   *
   * Takes all that is owed from the typed card, and shows the page again.
   *
   * The card goes to the card network and is stored nowhere. What is wrong with it is said on the page; where the network has not answered, the page waits for it. Pages, cards, networks and clients have a budget of declined ones. `payment.pending`, then `payment.succeeded` with `invoice.paid`, or `payment.failed` follow, and `payment.disputed` after a charge-back.
   */
  payByCard<O extends CallOptions>(params: T.CheckoutPayByCardParams, options?: O): Reply<string, O> {
    return this._reply<string, O>(['checkout.payByCard', 'POST', '/payment-gateway/checkout/{invoice_id}/card', {"query":["key","lang"],"answer":"text","money":true,"secret":true}], params, options);
  }

  /**
   * Cancel checkout
   *
   * Calls off what the payer has begun, and shows the page again; the invoice stays.
   *
   * Its tries are ended at the gateway; a payer who was faster has paid. It goes on to the page (303).
   */
  cancel(params: T.CheckoutCancelParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['checkout.cancel', 'POST', '/payment-gateway/checkout/{invoice_id}/cancel', {"query":["key","lang"],"answer":"text"}], params, options);
  }

  /**
   * Get state
   *
   * How an invoice stands, as its page shows it.
   *
   * All amounts are those of the server. `mark` is another one after any change.
   */
  getState(params: T.CheckoutGetStateParams, options?: CallOptions): ApiPromise<T.CheckoutGetStateAnswer> {
    return this._call<T.CheckoutGetStateAnswer>(['checkout.getState', 'GET', '/payment-gateway/checkout/{invoice_id}/state'], params, options);
  }

  /**
   * Follow checkout
   *
   * Server-sent events without content, whenever the state of an invoice has changed.
   *
   * Each event is `state`, without data: ask for the state then. It ends after 15 minutes; a network has 20 of them, and a page without one asks every few seconds.
   */
  follow(params: T.CheckoutFollowParams, options?: StreamOptions): EventStream {
    return this._stream(['checkout.follow', 'GET', '/payment-gateway/checkout/{invoice_id}/events'], params, options);
  }

  /**
   * Get logo
   *
   * The picture of the client, for the page.
   *
   * Where the client has one in its settings.
   */
  getLogo(params: T.CheckoutGetLogoParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['checkout.getLogo', 'GET', '/payment-gateway/checkout/{invoice_id}/logo', {"answer":"bytes"}], params, options);
  }
}

export class InvoiceRefunds extends Resource {
  /**
   * Create invoice refund
   *
   * Gives money of a paid invoice back, in parts or all that is left.
   *
   * Out of the wallet of the invoice, within 180 days. What a wallet has paid goes back there at once. What has come in by the gateway goes to the bank account of `recipient_id`; without it the customer is mailed a link of 14 days to a page that asks for one, which is `claim_url` of this answer, too. What a card has paid goes back to that card, once, with the share of the fee: the page asks for the card. The money is held until the bank has it, and free again where it does not arrive. Wallets that got a part keep it, and fees are not given back. `refund.pending`, then `refund.succeeded` with `invoice.refunded`, or `refund.failed` follow.
   */
  create<O extends CallOptions>(params: T.InvoiceRefundsCreateParams, options?: O): Reply<T.InvoiceRefundsCreateAnswer, O> {
    return this._reply<T.InvoiceRefundsCreateAnswer, O>(['invoiceRefunds.create', 'POST', '/payment-gateway/invoices/{invoice_id}/refunds', {"money":true}], params, options);
  }

  /**
   * List invoice refunds
   *
   * Lists the refunds of an invoice, newest first.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.InvoiceRefundsListParams, options?: CallOptions): PagePromise<T.InvoiceRefundsListAnswer, T.Row<T.InvoiceRefundsListAnswer, 'data.items'>> {
    return this._page<T.InvoiceRefundsListAnswer, T.Row<T.InvoiceRefundsListAnswer, 'data.items'>>(['invoiceRefunds.list', 'GET', '/payment-gateway/invoices/{invoice_id}/refunds', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Show claim
   *
   * A page for people: what is paid back, and a form for the bank account or the card.
   *
   * In English or Indonesian. To look changes nothing.
   */
  showClaim(params: T.InvoiceRefundsShowClaimParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['invoiceRefunds.showClaim', 'GET', '/payment-gateway/claim/{key}', {"answer":"text"}], params, options);
  }

  /**
   * Claim invoice refund
   *
   * What the form of that page sends: the account, or the card that has paid, once.
   *
   * The bank is asked first whether the account is in that name; a card has to be the one that has paid. The first account that is named is paid; what is wrong is said on the page.
   */
  claim<O extends CallOptions>(params: T.InvoiceRefundsClaimParams, options?: O): Reply<string, O> {
    return this._reply<string, O>(['invoiceRefunds.claim', 'POST', '/payment-gateway/claim/{key}', {"query":["lang"],"answer":"text","money":true,"secret":true}], params, options);
  }
}

export class Cards extends Resource {
  /**
   * Validate a card in dollars
   *
   * Whether a card is good, for the caller's USD wallet.
   *
   * The caller needs a USD wallet. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  validate(params: T.CardsValidateParams, options?: CallOptions): ApiPromise<T.CardsValidateAnswer> {
    return this._call<T.CardsValidateAnswer>(['cards.validate', 'POST', '/card-checkout/card/validate', {"secret":true}], params, options);
  }

  /**
   * Validate a card in a currency
   *
   * Whether a card is good, for the caller's wallet of a currency.
   *
   * The caller needs a wallet of that currency. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  validateForCurrency(params: T.CardsValidateForCurrencyParams, options?: CallOptions): ApiPromise<T.CardsValidateForCurrencyAnswer> {
    return this._call<T.CardsValidateForCurrencyAnswer>(['cards.validateForCurrency', 'POST', '/card-checkout/card/validatecc', {"secret":true}], params, options);
  }

  /**
   * Top up from a card in dollars
   *
   * Tops up the caller's USD wallet from a card.
   *
   * The holder of the card pays `amount`. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s USD wallet has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it, and `GET /card-checkout/card/reference/{reference_id}` shows its end.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  topUp<O extends CallOptions>(params: T.CardsTopUpParams, options?: O): Reply<T.CardsTopUpAnswer, O> {
    return this._reply<T.CardsTopUpAnswer, O>(['cards.topUp', 'POST', '/card-checkout/card', {"money":true,"secret":true}], params, options);
  }

  /**
   * Top up from a card in a currency
   *
   * Tops up the caller's wallet of a currency from a card.
   *
   * The holder of the card pays `amount` in that currency. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s wallet of the currency has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  topUpCurrency<O extends CallOptions>(params: T.CardsTopUpCurrencyParams, options?: O): Reply<T.CardsTopUpCurrencyAnswer, O> {
    return this._reply<T.CardsTopUpCurrencyAnswer, O>(['cards.topUpCurrency', 'POST', '/card-checkout/cardcc', {"money":true,"secret":true}], params, options);
  }

  /**
   * Refund a card top-up
   *
   * Gives a checkout back to its card, in whole or in part, once.
   *
   * The user who made the checkout calls it, with the same card. The wallet pays the amount less its share of the fee, and the card gets all of it back. One checkout is refunded once. `refund.succeeded` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  refund<O extends CallOptions>(params: T.CardsRefundParams, options?: O): Reply<T.CardsRefundAnswer, O> {
    return this._reply<T.CardsRefundAnswer, O>(['cards.refund', 'POST', '/card-checkout/card/refund', {"money":true,"secret":true}], params, options);
  }

  /**
   * Pay to a card
   *
   * Pays from the caller's wallet to a card.
   *
   * The caller’s wallet of that currency pays, without a fee; the money is set aside first and reaches the card by the card network. `payout.succeeded` follows, or `payout.failed`, and then the wallet has its money back.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  push<O extends CallOptions>(params: T.CardsPushParams, options?: O): Reply<T.CardsPushAnswer, O> {
    return this._reply<T.CardsPushAnswer, O>(['cards.push', 'POST', '/card-checkout/card/manual_refund', {"money":true,"secret":true}], params, options);
  }

  /**
   * Get the card fee
   *
   * The platform’s fee of a checkout, in percent.
   *
   * Anybody may call it. `POST /card-checkout/card` takes this share of the amount.
   */
  getFee(params: T.CardsGetFeeParams = {}, options?: CallOptions): ApiPromise<T.CardsGetFeeAnswer> {
    return this._call<T.CardsGetFeeAnswer>(['cards.getFee', 'GET', '/card-checkout/card/fee'], params, options);
  }

  /**
   * Get a card transaction
   *
   * A card transaction by its reference id or the retrieval reference number.
   */
  getByReference(params: T.CardsGetByReferenceParams, options?: CallOptions): ApiPromise<T.CardsGetByReferenceAnswer> {
    return this._call<T.CardsGetByReferenceAnswer>(['cards.getByReference', 'GET', '/card-checkout/card/reference/{reference_id}'], params, options);
  }

  /**
   * List card transactions
   *
   * A wallet's card transactions, newest first; `before` an id for older ones.
   *
   * The owner of the wallet reads it. A push to a card is shown with the type `REFUND` and the status `PUSH_PROCESSED`.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  listHistory(params: T.CardsListHistoryParams, options?: CallOptions): PagePromise<T.CardsListHistoryAnswer, T.Row<T.CardsListHistoryAnswer, 'data'>> {
    return this._page<T.CardsListHistoryAnswer, T.Row<T.CardsListHistoryAnswer, 'data'>>(['cards.listHistory', 'GET', '/card-checkout/card/history', {"page":{"parameter":"before","items":"data"}}], params, options);
  }

  /**
   * Write off a double refund
   *
   * Writes off money that the card network has taken back, or a bank has been paid, although we had refunded it.
   *
   * Only an admin of the operator may call it. The loss is booked as the platform’s own; the user pays nothing. It ends claims on the card network (`card:…`) and on banks that were paid after the money had gone back (`payout:…`).
   */
  writeOffExcess<O extends CallOptions>(params: T.CardsWriteOffExcessParams, options?: O): Reply<T.CardsWriteOffExcessAnswer, O> {
    return this._reply<T.CardsWriteOffExcessAnswer, O>(['cards.writeOffExcess', 'POST', '/card-checkout/returned-twice/write-off', {"money":true}], params, options);
  }

  /**
   * Decide a reversal
   *
   * Decides what the network’s reversal of a top-up means after we had refunded a part of it.
   *
   * Only an admin of the operator may call it, after asking the network. Until then the rest of the top-up is neither taken nor refunded. The decision holds until the network has another word for it.
   */
  decideReversal<O extends CallOptions>(params: T.CardsDecideReversalParams, options?: O): Reply<T.CardsDecideReversalAnswer, O> {
    return this._reply<T.CardsDecideReversalAnswer, O>(['cards.decideReversal', 'POST', '/card-checkout/reversals/decide', {"money":true}], params, options);
  }
}

export class IssuedCards extends Resource {
  /**
   * Create issued card
   *
   * Issues a virtual card on a wallet of one’s own.
   *
   * The owner’s identity has to be verified, and the processor to have cards in the currency of the wallet. `PENDING` until it has made the card (`card.issued`), then `INACTIVE`. Ten open cards a person.
   */
  create<O extends CallOptions>(params: T.IssuedCardsCreateParams, options?: O): Reply<T.IssuedCardsCreateAnswer, O> {
    return this._reply<T.IssuedCardsCreateAnswer, O>(['issuedCards.create', 'POST', '/cards', {"money":true}], params, options);
  }

  /**
   * List issued cards
   *
   * Lists cards, newest first.
   *
   * Users see their own cards, admins those of their client.
   */
  list(params: T.IssuedCardsListParams = {}, options?: CallOptions): PagePromise<T.IssuedCardsListAnswer, T.Row<T.IssuedCardsListAnswer, 'data.items'>> {
    return this._page<T.IssuedCardsListAnswer, T.Row<T.IssuedCardsListAnswer, 'data.items'>>(['issuedCards.list', 'GET', '/cards', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get issued card
   *
   * Shows a card.
   */
  get(params: T.IssuedCardsGetParams, options?: CallOptions): ApiPromise<T.IssuedCardsGetAnswer> {
    return this._call<T.IssuedCardsGetAnswer>(['issuedCards.get', 'GET', '/cards/{card_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a card, at any time.
   */
  setMetadata(params: T.IssuedCardsSetMetadataParams, options?: CallOptions): ApiPromise<T.IssuedCardsSetMetadataAnswer> {
    return this._call<T.IssuedCardsSetMetadataAnswer>(['issuedCards.setMetadata', 'PATCH', '/cards/{card_id}/metadata'], params, options);
  }

  /**
   * Activate issued card
   *
   * Activates a card of one’s own: it pays from now on.
   */
  activate(params: T.IssuedCardsActivateParams, options?: CallOptions): ApiPromise<T.IssuedCardsActivateAnswer> {
    return this._call<T.IssuedCardsActivateAnswer>(['issuedCards.activate', 'POST', '/cards/{card_id}/activate'], params, options);
  }

  /**
   * Freeze issued card
   *
   * Freezes a card: it pays nothing until it is unfrozen.
   *
   * By its owner or an admin of the client, who also takes over what the owner has frozen. It counts at once; the processor follows in the background.
   */
  freeze(params: T.IssuedCardsFreezeParams, options?: CallOptions): ApiPromise<T.IssuedCardsFreezeAnswer> {
    return this._call<T.IssuedCardsFreezeAnswer>(['issuedCards.freeze', 'POST', '/cards/{card_id}/freeze'], params, options);
  }

  /**
   * Unfreeze issued card
   *
   * Unfreezes a card: it pays again.
   *
   * What an admin has frozen only an admin unfreezes: 403 `FORBIDDEN` for its owner.
   */
  unfreeze(params: T.IssuedCardsUnfreezeParams, options?: CallOptions): ApiPromise<T.IssuedCardsUnfreezeAnswer> {
    return this._call<T.IssuedCardsUnfreezeAnswer>(['issuedCards.unfreeze', 'POST', '/cards/{card_id}/unfreeze'], params, options);
  }

  /**
   * Close issued card
   *
   * Closes a card for good.
   *
   * By its owner or an admin of the client, also while it is frozen.
   */
  close(params: T.IssuedCardsCloseParams, options?: CallOptions): ApiPromise<T.IssuedCardsCloseAnswer> {
    return this._call<T.IssuedCardsCloseAnswer>(['issuedCards.close', 'POST', '/cards/{card_id}/close'], params, options);
  }

  /**
   * Replace issued card
   *
   * Closes a card of one’s own and issues another in its place.
   *
   * The new card has the wallet, the name and the controls of the old one, and another number. What an admin has frozen is not replaced.
   */
  replace<O extends CallOptions>(params: T.IssuedCardsReplaceParams, options?: O): Reply<T.IssuedCardsReplaceAnswer, O> {
    return this._reply<T.IssuedCardsReplaceAnswer, O>(['issuedCards.replace', 'POST', '/cards/{card_id}/replace', {"money":true}], params, options);
  }

  /**
   * Set controls
   *
   * Replaces what a card may pay: its owner’s rules, or as an admin the client’s.
   *
   * Everything is replaced: what is left out is not limited. An admin’s call sets the client’s rules, which count beside the owner’s.
   */
  setControls<O extends CallOptions>(params: T.IssuedCardsSetControlsParams, options?: O): Reply<T.IssuedCardsSetControlsAnswer, O> {
    return this._reply<T.IssuedCardsSetControlsAnswer, O>(['issuedCards.setControls', 'PUT', '/cards/{card_id}/controls', {"money":true}], params, options);
  }

  /**
   * Reveal issued card
   *
   * Gives the page on which its owner sees the number of a card, once.
   *
   * Asks for a proof first (`STEP_UP_REQUIRED`): answer it by `POST /step-up` and repeat the call with `x-step-up`. The page opens once.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  reveal(params: T.IssuedCardsRevealParams, options?: CallOptions): ApiPromise<T.IssuedCardsRevealAnswer> {
    return this._call<T.IssuedCardsRevealAnswer>(['issuedCards.reveal', 'POST', '/cards/{card_id}/reveal'], params, options);
  }

  /**
   * Set pin
   *
   * Gives the page on which its owner sets the PIN of a card, once.
   *
   * Asks for a proof first, as `POST /cards/{card_id}/reveal`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  setPin(params: T.IssuedCardsSetPinParams, options?: CallOptions): ApiPromise<T.IssuedCardsSetPinAnswer> {
    return this._call<T.IssuedCardsSetPinAnswer>(['issuedCards.setPin', 'POST', '/cards/{card_id}/pin'], params, options);
  }
}

export class DecisionWebhook extends Resource {
  /**
   * Get the decision webhook
   *
   * Shows where your system is asked about cards.
   */
  get(params: T.DecisionWebhookGetParams = {}, options?: CallOptions): ApiPromise<T.DecisionWebhookGetAnswer> {
    return this._call<T.DecisionWebhookGetAnswer>(['decisionWebhook.get', 'GET', '/cards/decision-webhook'], params, options);
  }

  /**
   * Set the decision webhook
   *
   * Says where your system is asked about cards; a new one tells its secret.
   *
   * Each question is a POST, signed as Standard Webhooks with the decision’s id as `webhook-id`: `{type: "card_decision.requested", timestamp, data: {decision_id, card_id, transaction_id, user_id, wallet_id, kind, amount, currency, merchant, merchant_amount, merchant_currency, online, partial_allowed, timeout_at}}`. Answer 200 with `{decision: "approve" | "decline", amount?, reason?}` within `timeout_ms`. Any other answer, none, or more questions at once than your share count as no answer: `fallback` decides. The secret is in the answer that makes it, and in no other.
   */
  set<O extends CallOptions>(params: T.DecisionWebhookSetParams, options?: O): Reply<T.DecisionWebhookSetAnswer, O> {
    return this._reply<T.DecisionWebhookSetAnswer, O>(['decisionWebhook.set', 'PUT', '/cards/decision-webhook', {"money":true,"secret":true}], params, options);
  }

  /**
   * Delete the decision webhook
   *
   * Asks your system about cards no more: the rules decide alone.
   *
   * A payment that your system is being asked about is decided with its answer.
   */
  delete(params: T.DecisionWebhookDeleteParams = {}, options?: CallOptions): ApiPromise<T.DecisionWebhookDeleteAnswer> {
    return this._call<T.DecisionWebhookDeleteAnswer>(['decisionWebhook.delete', 'DELETE', '/cards/decision-webhook'], params, options);
  }
}

export class CardTransactions extends Resource {
  /**
   * List card transactions
   *
   * Lists what a card has paid, and where it was declined, newest first.
   *
   * Users see those of their own cards, admins those of their client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.CardTransactionsListParams, options?: CallOptions): PagePromise<T.CardTransactionsListAnswer, T.Row<T.CardTransactionsListAnswer, 'data.items'>> {
    return this._page<T.CardTransactionsListAnswer, T.Row<T.CardTransactionsListAnswer, 'data.items'>>(['cardTransactions.list', 'GET', '/cards/{card_id}/transactions', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get card transaction
   *
   * Shows what a card has paid, with each message of the network about it.
   *
   * What is held is what was said yes to less what was reversed, has expired and was settled. A settlement is final, and booked whatever was held; what the wallet lacks for it its owner owes.
   */
  get(params: T.CardTransactionsGetParams, options?: CallOptions): ApiPromise<T.CardTransactionsGetAnswer> {
    return this._call<T.CardTransactionsGetAnswer>(['cardTransactions.get', 'GET', '/cards/transactions/{transaction_id}'], params, options);
  }

  /**
   * Decisions card transaction
   *
   * Lists what was decided about a card transaction, oldest first.
   */
  decisions(params: T.CardTransactionsDecisionsParams, options?: CallOptions): ApiPromise<T.CardTransactionsDecisionsAnswer> {
    return this._call<T.CardTransactionsDecisionsAnswer>(['cardTransactions.decisions', 'GET', '/cards/transactions/{transaction_id}/decisions'], params, options);
  }
}

export class CardDecisions extends Resource {
  /**
   * Get card decision
   *
   * Shows a decision about a card.
   */
  get(params: T.CardDecisionsGetParams, options?: CallOptions): ApiPromise<T.CardDecisionsGetAnswer> {
    return this._call<T.CardDecisionsGetAnswer>(['cardDecisions.get', 'GET', '/cards/decisions/{decision_id}'], params, options);
  }
}

export class CardDisputes extends Resource {
  /**
   * Create card dispute
   *
   * Disputes what a card of one’s own has paid: a draft, until it is submitted.
   *
   * Within 120 days of the settlement, up to what was settled and not given back; one open dispute a payment (409 CONFLICT with its id). The payment shows `disputed`.
   */
  create<O extends CallOptions>(params: T.CardDisputesCreateParams, options?: O): Reply<T.CardDisputesCreateAnswer, O> {
    return this._reply<T.CardDisputesCreateAnswer, O>(['cardDisputes.create', 'POST', '/cards/transactions/{transaction_id}/disputes', {"money":true}], params, options);
  }

  /**
   * List card disputes
   *
   * Lists disputes, newest first.
   *
   * Users see their own, admins those of their client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.CardDisputesListParams = {}, options?: CallOptions): PagePromise<T.CardDisputesListAnswer, T.Row<T.CardDisputesListAnswer, 'data.items'>> {
    return this._page<T.CardDisputesListAnswer, T.Row<T.CardDisputesListAnswer, 'data.items'>>(['cardDisputes.list', 'GET', '/cards/disputes', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get card dispute
   *
   * Shows a dispute, with what the network has said.
   */
  get(params: T.CardDisputesGetParams, options?: CallOptions): ApiPromise<T.CardDisputesGetAnswer> {
    return this._call<T.CardDisputesGetAnswer>(['cardDisputes.get', 'GET', '/cards/disputes/{dispute_id}'], params, options);
  }

  /**
   * Update card dispute
   *
   * Changes a dispute that was not submitted yet.
   */
  update<O extends CallOptions>(params: T.CardDisputesUpdateParams, options?: O): Reply<T.CardDisputesUpdateAnswer, O> {
    return this._reply<T.CardDisputesUpdateAnswer, O>(['cardDisputes.update', 'PATCH', '/cards/disputes/{dispute_id}', {"money":true}], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a dispute, at any time.
   */
  setMetadata(params: T.CardDisputesSetMetadataParams, options?: CallOptions): ApiPromise<T.CardDisputesSetMetadataAnswer> {
    return this._call<T.CardDisputesSetMetadataAnswer>(['cardDisputes.setMetadata', 'PATCH', '/cards/disputes/{dispute_id}/metadata'], params, options);
  }

  /**
   * Submit card dispute
   *
   * Sends a dispute to the card network.
   *
   * Up to 500 US dollars are credited at once, more once the network has the dispute. A credit that is not earned is taken back; what the wallet lacks then its owner owes.
   */
  submit<O extends CallOptions>(params: T.CardDisputesSubmitParams, options?: O): Reply<T.CardDisputesSubmitAnswer, O> {
    return this._reply<T.CardDisputesSubmitAnswer, O>(['cardDisputes.submit', 'POST', '/cards/disputes/{dispute_id}/submit', {"money":true}], params, options);
  }

  /**
   * Respond card dispute
   *
   * Contradicts what the shop has answered.
   *
   * Possible while it is PENDING_RESPONSE, until `respond_by`: without a response it is LOST.
   */
  respond<O extends CallOptions>(params: T.CardDisputesRespondParams, options?: O): Reply<T.CardDisputesRespondAnswer, O> {
    return this._reply<T.CardDisputesRespondAnswer, O>(['cardDisputes.respond', 'POST', '/cards/disputes/{dispute_id}/respond', {"money":true}], params, options);
  }

  /**
   * Withdraw card dispute
   *
   * Gives a dispute up; a provisional credit is taken back.
   *
   * Not while it is on its way to the network. What the network decides for its holder after any other end counts all the same: it is WON then.
   */
  withdraw<O extends CallOptions>(params: T.CardDisputesWithdrawParams, options?: O): Reply<T.CardDisputesWithdrawAnswer, O> {
    return this._reply<T.CardDisputesWithdrawAnswer, O>(['cardDisputes.withdraw', 'POST', '/cards/disputes/{dispute_id}/withdraw', {"money":true}], params, options);
  }
}

export class CryptoWallets extends Resource {
  /**
   * Create crypto wallet
   *
   * Creates a wallet for a chain; its address comes with the next step.
   *
   * Users create wallets for themselves. The platform keeps the keys; `POST /manual/wallets/crypto/{bw_id}/address` makes the address. `crypto_wallet.created` follows.
   */
  create(params: T.CryptoWalletsCreateParams, options?: CallOptions): ApiPromise<T.CryptoWalletsCreateAnswer> {
    return this._call<T.CryptoWalletsCreateAnswer>(['cryptoWallets.create', 'POST', '/manual/wallets/crypto'], params, options);
  }

  /**
   * Add an address to a crypto wallet
   *
   * Creates the wallet’s address on a chain and shows its mnemonic, only once.
   */
  addAddress(params: T.CryptoWalletsAddAddressParams, options?: CallOptions): ApiPromise<T.CryptoWalletsAddAddressAnswer> {
    return this._call<T.CryptoWalletsAddAddressAnswer>(['cryptoWallets.addAddress', 'POST', '/manual/wallets/crypto/{bw_id}/address'], params, options);
  }

  /**
   * Delete crypto wallet
   *
   * Deletes a wallet with all its addresses and keys, for good.
   */
  delete(params: T.CryptoWalletsDeleteParams, options?: CallOptions): ApiPromise<T.CryptoWalletsDeleteAnswer> {
    return this._call<T.CryptoWalletsDeleteAnswer>(['cryptoWallets.delete', 'POST', '/manual/wallets/crypto/{bw_id}/delete'], params, options);
  }

  /**
   * List crypto wallets
   *
   * A user’s wallets with their addresses and values.
   *
   * Users see their own wallets; an admin sees those of the people of the own client. Values are in USD at the rate of now.
   */
  list(params: T.CryptoWalletsListParams, options?: CallOptions): ApiPromise<T.CryptoWalletsListAnswer> {
    return this._call<T.CryptoWalletsListAnswer>(['cryptoWallets.list', 'GET', '/manual/wallets/crypto/{user_id}'], params, options);
  }

  /**
   * List addresses of a crypto wallet
   *
   * The addresses of a wallet, also grouped by chain.
   *
   * The owner reads it, and an admin of the owner’s client.
   */
  listAddresses(params: T.CryptoWalletsListAddressesParams, options?: CallOptions): ApiPromise<T.CryptoWalletsListAddressesAnswer> {
    return this._call<T.CryptoWalletsListAddressesAnswer>(['cryptoWallets.listAddresses', 'GET', '/manual/wallets/crypto/{bw_id}/addresses'], params, options);
  }

  /**
   * Get balances of a crypto wallet
   *
   * A wallet's balances on each chain, and their value.
   *
   * Users read their own wallets; an admin those of the people of the own client. `held` is what payments under way will take, gas included; `available` is what can be spent. The gas of a send comes out of the coin, and the platform’s fee out of the asset that is sent. Null where the chain, or the token, does not answer.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getBalance(params: T.CryptoWalletsGetBalanceParams, options?: CallOptions): ApiPromise<T.CryptoWalletsGetBalanceAnswer> {
    return this._call<T.CryptoWalletsGetBalanceAnswer>(['cryptoWallets.getBalance', 'GET', '/wallets/{wallet_id}/balance'], params, options);
  }
}

export class Tokens extends Resource {
  /**
   * Import token
   *
   * Adds a token to all of the user’s wallets on its chain.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  import(params: T.TokensImportParams, options?: CallOptions): ApiPromise<T.TokensImportAnswer> {
    return this._call<T.TokensImportAnswer>(['tokens.import', 'POST', '/tokens/import'], params, options);
  }
}

export class Onchain extends Resource {
  /**
   * Send on chain
   *
   * Sends coins or USDC from a wallet of the caller, and waits for the receipt.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  send<O extends CallOptions>(params: T.OnchainSendParams, options?: O): Reply<T.OnchainSendAnswer, O> {
    return this._reply<T.OnchainSendAnswer, O>(['onchain.send', 'POST', '/onchain/execute', {"money":true}], params, options);
  }

  /**
   * Record a transaction made elsewhere
   *
   * Records a transaction that a wallet of the caller has made elsewhere.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  record(params: T.OnchainRecordParams, options?: CallOptions): ApiPromise<T.OnchainRecordAnswer> {
    return this._call<T.OnchainRecordAnswer>(['onchain.record', 'POST', '/onchain/log'], params, options);
  }

  /**
   * List all outgoing transfers
   *
   * Everything that left a user’s wallets, across chains or on one, newest first.
   *
   * Users read their own history; an admin reads that of the people of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listEverything(params: T.OnchainListEverythingParams, options?: CallOptions): PagePromise<T.OnchainListEverythingAnswer, T.Row<T.OnchainListEverythingAnswer, 'data.transactions'>> {
    return this._page<T.OnchainListEverythingAnswer, T.Row<T.OnchainListEverythingAnswer, 'data.transactions'>>(['onchain.listEverything', 'GET', '/transactions/{user_id}/history', {"page":{"parameter":"offset","items":"data.transactions"}}], params, options);
  }

  /**
   * List transactions on chain
   *
   * A user’s transactions from managed wallets, newest first.
   *
   * Users read their own history; an admin reads that of the people of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listHistory(params: T.OnchainListHistoryParams, options?: CallOptions): PagePromise<T.OnchainListHistoryAnswer, T.Row<T.OnchainListHistoryAnswer, 'data.transactions'>> {
    return this._page<T.OnchainListHistoryAnswer, T.Row<T.OnchainListHistoryAnswer, 'data.transactions'>>(['onchain.listHistory', 'GET', '/onchain/history/{user_id}', {"page":{"parameter":"offset","items":"data.transactions"}}], params, options);
  }

  /**
   * Get a transaction on chain
   *
   * One transaction by its hash.
   */
  get(params: T.OnchainGetParams, options?: CallOptions): ApiPromise<T.OnchainGetAnswer> {
    return this._call<T.OnchainGetAnswer>(['onchain.get', 'GET', '/onchain/details/{tx_hash}'], params, options);
  }
}

export class Crosschain extends Resource {
  /**
   * Begin a cross-chain transfer
   *
   * Begin a USDC transfer to another chain; it counts against the daily limit.
   *
   * A user begins it, or an admin for a person of the own client; it records the transfer and moves nothing. The next steps are `POST /crosschain/burn` and `POST /crosschain/mint`. The platform fee is taken with the burn. Indicative times on public networks: 5 to 8 minutes between sepolia and amoy, 3 to 6 between amoy and neon, 6 to 10 between sepolia and neon. `crosschain_transfer.initiated` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  initiate<O extends CallOptions>(params: T.CrosschainInitiateParams, options?: O): Reply<T.CrosschainInitiateAnswer, O> {
    return this._reply<T.CrosschainInitiateAnswer, O>(['crosschain.initiate', 'POST', '/crosschain/initiate', {"money":true,"secret":true}], params, options);
  }

  /**
   * Confirm a burn
   *
   * Say that a transfer was burnt, with the hash, or that it failed.
   *
   * The owner of the transfer calls it, or an admin of the owner’s client, for a burn that was sent by an own wallet. Out of mock mode the chain has to show the burn; a transfer whose burn is on its way cannot be reported as failed. `crosschain_transfer.burned` or `crosschain_transfer.failed` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  confirm<O extends CallOptions>(params: T.CrosschainConfirmParams, options?: O): Reply<T.CrosschainConfirmAnswer, O> {
    return this._reply<T.CrosschainConfirmAnswer, O>(['crosschain.confirm', 'PATCH', '/crosschain/confirm', {"money":true}], params, options);
  }

  /**
   * Confirm a burn by POST
   *
   * The same as `PATCH /crosschain/confirm`.
   *
   * It takes the same body and gives the same answers as `PATCH /crosschain/confirm`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  confirmByPost<O extends CallOptions>(params: T.CrosschainConfirmByPostParams, options?: O): Reply<T.CrosschainConfirmByPostAnswer, O> {
    return this._reply<T.CrosschainConfirmByPostAnswer, O>(['crosschain.confirmByPost', 'POST', '/crosschain/confirm', {"money":true}], params, options);
  }

  /**
   * Mint on the destination chain
   *
   * Mint on the destination chain what was burnt on the source chain, once.
   *
   * The owner of the transfer calls it, or an admin of the owner’s client. The recipient gets exactly the amount; the platform pays the gas. Indicative times on public networks: 5 to 8 minutes between sepolia and amoy, 3 to 6 between amoy and neon, 6 to 10 between sepolia and neon. `crosschain_transfer.minted` follows. After a 503 repeat the request: a transfer is minted once.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  mint<O extends CallOptions>(params: T.CrosschainMintParams, options?: O): Reply<T.CrosschainMintAnswer, O> {
    return this._reply<T.CrosschainMintAnswer, O>(['crosschain.mint', 'POST', '/crosschain/mint', {"money":true}], params, options);
  }

  /**
   * Burn on the source chain
   *
   * Burn from the user's managed wallet, or name the user's own burn.
   *
   * The owner of the transfer calls it. In the mode `backend` the user’s managed wallet pays the amount, the platform fee and the gas; in the mode `external_wallet` the chain has to show the burn of `tx_hash`. Indicative times on public networks: 5 to 8 minutes between sepolia and amoy, 3 to 6 between amoy and neon, 6 to 10 between sepolia and neon. `crosschain_transfer.burned` follows. After a 503 `NOT_READY` repeat the request: a transfer is burnt once.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  burn<O extends CallOptions>(params: T.CrosschainBurnParams, options?: O): Reply<T.CrosschainBurnAnswer, O> {
    return this._reply<T.CrosschainBurnAnswer, O>(['crosschain.burn', 'POST', '/crosschain/burn', {"money":true}], params, options);
  }

  /**
   * Burn with a posted private key
   *
   * Burn with a posted private key, which is used once and kept nowhere.
   *
   * The owner of the transfer calls it, and the wallet of the key pays. In production it is 403 `FORBIDDEN` unless the operator has switched it on: sign the burn yourself and name its hash at `POST /crosschain/burn`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  burnWithKey<O extends CallOptions>(params: T.CrosschainBurnWithKeyParams, options?: O): Reply<T.CrosschainBurnWithKeyAnswer, O> {
    return this._reply<T.CrosschainBurnWithKeyAnswer, O>(['crosschain.burnWithKey', 'POST', '/crosschain/burn-frontend', {"money":true,"secret":true}], params, options);
  }

  /**
   * Get the balance of an address
   *
   * What an address holds of USDC, or of a token named by its contract.
   *
   * Any logged-in user may call it. Each call reads the chain. Of a managed wallet in the caller’s reach `held` is what payments under way will take, and `available` what can be spent: the platform’s fee of a send or burn comes out of it. Of any other address all is available that the chain shows.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getBalance(params: T.CrosschainGetBalanceParams, options?: CallOptions): ApiPromise<T.CrosschainGetBalanceAnswer> {
    return this._call<T.CrosschainGetBalanceAnswer>(['crosschain.getBalance', 'GET', '/crosschain/balance/{chain}/{address}'], params, options);
  }

  /**
   * Mint test USDC
   *
   * Test USDC for any address, on the test networks.
   *
   * Any logged-in user may call it. The tokens have no value, and there is no such operation on main networks. Where gas costs the platform something, limits hold for each user and network.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  testMint(params: T.CrosschainTestMintParams, options?: CallOptions): ApiPromise<T.CrosschainTestMintAnswer> {
    return this._call<T.CrosschainTestMintAnswer>(['crosschain.testMint', 'POST', '/crosschain/test-mint'], params, options);
  }

  /**
   * List cross-chain transfers
   *
   * A user's cross-chain transfers, newest first.
   *
   * Users read their own transfers; an admin reads those of the people of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listHistory(params: T.CrosschainListHistoryParams, options?: CallOptions): PagePromise<T.CrosschainListHistoryAnswer, T.Row<T.CrosschainListHistoryAnswer, 'data.transactions'>> {
    return this._page<T.CrosschainListHistoryAnswer, T.Row<T.CrosschainListHistoryAnswer, 'data.transactions'>>(['crosschain.listHistory', 'GET', '/crosschain/history/{user_id}', {"page":{"parameter":"offset","items":"data.transactions"}}], params, options);
  }

  /**
   * Get a cross-chain transfer
   *
   * One cross-chain transfer.
   */
  get(params: T.CrosschainGetParams, options?: CallOptions): ApiPromise<T.CrosschainGetAnswer> {
    return this._call<T.CrosschainGetAnswer>(['crosschain.get', 'GET', '/crosschain/details/{log_id}'], params, options);
  }
}

export class WalletProofs extends Resource {
  /**
   * Create a challenge to sign
   *
   * Gives a text for a wallet of one’s own to sign; it is valid once and for ten minutes.
   *
   * A wallet is proven in two steps. `POST /wallet-proofs/challenges` answers a `message`, which is valid once and for ten minutes.
   * The wallet signs it as it is, byte for byte, and `POST /wallet-proofs` takes the signature:
   *
   * - EVM chains: the message of EIP-4361, signed by `personal_sign` (EIP-191). The signature of a key holds on all EVM chains; that of a contract (EIP-1271, EIP-6492) on its own.
   * - XRP Ledger: the signature of the UTF-8 bytes by the account’s own key, unless it is disabled, or by its regular key; with `public_key`.
   * - Cardano: the answer of `signData` (CIP-30): `signature` and, as `public_key`, its `key`. The payment key of an address of the test network must have signed.
   *
   * ```sh
   * curl -X POST $URL/api/wallet-proofs/challenges -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \
   *   -H "content-type: application/json" -d '{"chain_id":"sepolia","wallet_address":"0x7099…79C8"}'
   * SIGNATURE=$(cast wallet sign --private-key $PRIVATE_KEY "$MESSAGE")
   * curl -X POST $URL/api/wallet-proofs -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \
   *   -H "content-type: application/json" -d "{\"challenge_id\":\"$ID\",\"signature\":\"$SIGNATURE\"}"
   * ```
   */
  challenge(params: T.WalletProofsChallengeParams, options?: CallOptions): ApiPromise<T.WalletProofsChallengeAnswer> {
    return this._call<T.WalletProofsChallengeAnswer>(['walletProofs.challenge', 'POST', '/wallet-proofs/challenges'], params, options);
  }

  /**
   * Prove a wallet
   *
   * Proves by the signature of a challenge that a wallet is the caller’s.
   *
   * The challenge is used up, also by a wrong signature. A wallet is one user’s at a time: who signs last holds its key, and a former owner
   * gets the event `wallet_proof.superseded` and a mail. The wallet then counts as the caller’s for `POST /idrtoken/offramp/initiate`,
   * for refunds of minted tokens and for `POST /marketplace/orders`.
   *
   * A wallet is proven in two steps. `POST /wallet-proofs/challenges` answers a `message`, which is valid once and for ten minutes.
   * The wallet signs it as it is, byte for byte, and `POST /wallet-proofs` takes the signature:
   *
   * - EVM chains: the message of EIP-4361, signed by `personal_sign` (EIP-191). The signature of a key holds on all EVM chains; that of a contract (EIP-1271, EIP-6492) on its own.
   * - XRP Ledger: the signature of the UTF-8 bytes by the account’s own key, unless it is disabled, or by its regular key; with `public_key`.
   * - Cardano: the answer of `signData` (CIP-30): `signature` and, as `public_key`, its `key`. The payment key of an address of the test network must have signed.
   *
   * ```sh
   * curl -X POST $URL/api/wallet-proofs/challenges -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \
   *   -H "content-type: application/json" -d '{"chain_id":"sepolia","wallet_address":"0x7099…79C8"}'
   * SIGNATURE=$(cast wallet sign --private-key $PRIVATE_KEY "$MESSAGE")
   * curl -X POST $URL/api/wallet-proofs -H "x-api-key: $KEY" -H "Authorization: Bearer $TOKEN" \
   *   -H "content-type: application/json" -d "{\"challenge_id\":\"$ID\",\"signature\":\"$SIGNATURE\"}"
   * ```
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  prove(params: T.WalletProofsProveParams, options?: CallOptions): ApiPromise<T.WalletProofsProveAnswer> {
    return this._call<T.WalletProofsProveAnswer>(['walletProofs.prove', 'POST', '/wallet-proofs'], params, options);
  }

  /**
   * List proven wallets
   *
   * The caller’s proven wallets, newest first; there are at most 20.
   *
   * Users see their own. A proven wallet counts as the user’s where burns and payments are looked at.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  list(params: T.WalletProofsListParams = {}, options?: CallOptions): ApiPromise<T.WalletProofsListAnswer> {
    return this._call<T.WalletProofsListAnswer>(['walletProofs.list', 'GET', '/wallet-proofs'], params, options);
  }

  /**
   * Remove a proven wallet
   *
   * Removes one of the caller’s proven wallets, which then counts as no user’s.
   *
   * Users remove their own. What the wallet has proven before stays as it is.
   */
  remove(params: T.WalletProofsRemoveParams, options?: CallOptions): ApiPromise<T.WalletProofsRemoveAnswer> {
    return this._call<T.WalletProofsRemoveAnswer>(['walletProofs.remove', 'DELETE', '/wallet-proofs/{proof_id}'], params, options);
  }
}

export class Networks extends Resource {
  /**
   * List networks
   *
   * Lists the networks with their state, fees, contracts and tokens.
   *
   * Heads and fees are at most five seconds old. A network that is away is `DOWN` with its last block, and no error; one whose newest block is older than usual is `BEHIND`.
   */
  list(params: T.NetworksListParams = {}, options?: CallOptions): ApiPromise<T.NetworksListAnswer> {
    return this._call<T.NetworksListAnswer>(['networks.list', 'GET', '/networks'], params, options);
  }

  /**
   * Get network
   *
   * Shows one network.
   */
  get(params: T.NetworksGetParams, options?: CallOptions): ApiPromise<T.NetworksGetAnswer> {
    return this._call<T.NetworksGetAnswer>(['networks.get', 'GET', '/networks/{id}'], params, options);
  }

  /**
   * Get transaction
   *
   * Shows what a network knows of a transaction, decoded.
   *
   * `UNKNOWN` is an answer: the network has no transaction of that hash. Amounts of tokens that are not the platform’s are named by their contract, since any contract may call itself USDC.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getTransaction(params: T.NetworksGetTransactionParams, options?: CallOptions): ApiPromise<T.NetworksGetTransactionAnswer> {
    return this._call<T.NetworksGetTransactionAnswer>(['networks.getTransaction', 'GET', '/networks/{id}/transactions/{hash}'], params, options);
  }

  /**
   * Get address
   *
   * Shows what an address has on a network.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  getAddress(params: T.NetworksGetAddressParams, options?: CallOptions): ApiPromise<T.NetworksGetAddressAnswer> {
    return this._call<T.NetworksGetAddressAnswer>(['networks.getAddress', 'GET', '/networks/{id}/addresses/{address}'], params, options);
  }
}

export class Testnet extends Resource {
  /**
   * Give testnet
   *
   * Gives test coins to an address of one’s own.
   *
   * Three times a day for each asset, within the platform’s budget of test mints. Only on test networks, and only to an address that is managed here.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  give(params: T.TestnetGiveParams, options?: CallOptions): ApiPromise<T.TestnetGiveAnswer> {
    return this._call<T.TestnetGiveAnswer>(['testnet.give', 'POST', '/testnet/faucet'], params, options);
  }

  /**
   * List gifts
   *
   * Lists the test coins that were given, newest first.
   */
  listGifts(params: T.TestnetListGiftsParams = {}, options?: CallOptions): PagePromise<T.TestnetListGiftsAnswer, T.Row<T.TestnetListGiftsAnswer, 'data.items'>> {
    return this._page<T.TestnetListGiftsAnswer, T.Row<T.TestnetListGiftsAnswer, 'data.items'>>(['testnet.listGifts', 'GET', '/testnet/faucet', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }
}

export class FeeSettings extends Resource {
  /**
   * Get platform fees
   *
   * The platform fees in force for the client of the caller.
   *
   * An admin reads the settings of the own client.
   *
   * **Admins need a role**: owner, developer, finance.
   */
  get(params: T.FeeSettingsGetParams = {}, options?: CallOptions): ApiPromise<T.FeeSettingsGetAnswer> {
    return this._call<T.FeeSettingsGetAnswer>(['feeSettings.get', 'GET', '/onchain/admin/fee-settings'], params, options);
  }

  /**
   * Set platform fees
   *
   * Sets the platform fees for the client of the caller.
   *
   * An admin sets them for the own client; they hold for sends that begin afterwards. A fee below the operator’s is 400 `FEE_BELOW_FLOOR`. `fee_settings.updated` follows.
   */
  set(params: T.FeeSettingsSetParams, options?: CallOptions): ApiPromise<T.FeeSettingsSetAnswer> {
    return this._call<T.FeeSettingsSetAnswer>(['feeSettings.set', 'PUT', '/onchain/admin/fee-settings'], params, options);
  }
}

export class Bridge extends Resource {
  /**
   * List routes
   *
   * Lists the routes of the bridge, with fees, limits and measured times.
   *
   * Any API key may call it. `estimated_seconds` is what the last hundred transfers of that route took; null before the first. DOWN: the operator has stopped it, or there is no such chain here. DEGRADED: a transfer on it has not arrived for a day.
   */
  listRoutes(params: T.BridgeListRoutesParams = {}, options?: CallOptions): ApiPromise<T.BridgeListRoutesAnswer> {
    return this._call<T.BridgeListRoutesAnswer>(['bridge.listRoutes', 'GET', '/bridge/routes'], params, options);
  }

  /**
   * Change route
   *
   * Stops a route at once, opens it again, or sets what may be begun on a day; for the operator.
   *
   * A stopped route takes no quotes and no new transfers, also by quotes that exist. What is under way goes on, since it is owed.
   */
  changeRoute(params: T.BridgeChangeRouteParams, options?: CallOptions): ApiPromise<T.BridgeChangeRouteAnswer> {
    return this._call<T.BridgeChangeRouteAnswer>(['bridge.changeRoute', 'PATCH', '/bridge/routes/{route_id}'], params, options);
  }

  /**
   * Quote a transfer
   *
   * Makes a price for one transfer over the bridge, which holds for a minute.
   *
   * Both fees come off the amount: `min_received` arrives. The quote holds for sixty seconds, is used by one transfer, and is signed like a quote between currencies; `GET /fx/quotes` lists it, too. The recipient is checked by its chain: its checksum and network, on a ledger with trust lines also its line, the room in it, and whether its owner wants a tag (`recipient_tag`, or an X-address). At most 20 quotes of a user are open at once, of all kinds.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  createQuote<O extends CallOptions>(params: T.BridgeCreateQuoteParams, options?: O): Reply<T.BridgeCreateQuoteAnswer, O> {
    return this._reply<T.BridgeCreateQuoteAnswer, O>(['bridge.createQuote', 'POST', '/bridge/quotes', {"money":true}], params, options);
  }

  /**
   * Begin a transfer over the bridge
   *
   * Moves USDC from a wallet of yours to an address on another chain, by a quote.
   *
   * The amount is burnt at the source and minted to an address of the platform on the second chain, which then pays the recipient. Outside the EVM chains it is paid to the treasury, which keeps it for as long as what is minted there goes about. Nothing is minted back: what was burnt stays owed until it has arrived, and each step is asked for again for as long as that takes. The source is a managed address of the caller’s. The amount counts against the daily limit of cross-chain transfers. `bridge_transfer.completed` says that it has arrived; the answer may say so already.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  create<O extends CallOptions>(params: T.BridgeCreateParams, options?: O): Reply<T.BridgeCreateAnswer, O> {
    return this._reply<T.BridgeCreateAnswer, O>(['bridge.create', 'POST', '/bridge/transfers', {"money":true}], params, options);
  }

  /**
   * List transfers over the bridge
   *
   * Lists transfers over the bridge, newest first.
   *
   * Users see their own transfers, an admin those of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  list(params: T.BridgeListParams = {}, options?: CallOptions): PagePromise<T.BridgeListAnswer, T.Row<T.BridgeListAnswer, 'data.items'>> {
    return this._page<T.BridgeListAnswer, T.Row<T.BridgeListAnswer, 'data.items'>>(['bridge.list', 'GET', '/bridge/transfers', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get a transfer over the bridge
   *
   * Shows a transfer over the bridge, with what was done on each chain.
   */
  get(params: T.BridgeGetParams, options?: CallOptions): ApiPromise<T.BridgeGetAnswer> {
    return this._call<T.BridgeGetAnswer>(['bridge.get', 'GET', '/bridge/transfers/{bridge_transfer_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a transfer over the bridge, at any time.
   */
  setMetadata(params: T.BridgeSetMetadataParams, options?: CallOptions): ApiPromise<T.BridgeSetMetadataAnswer> {
    return this._call<T.BridgeSetMetadataAnswer>(['bridge.setMetadata', 'PATCH', '/bridge/transfers/{bridge_transfer_id}/metadata'], params, options);
  }

  /**
   * Propose to pay ahead
   *
   * Proposes to pay the source of a stalled transfer ahead of its mint; for the operator.
   *
   * Possible while the burn is final, the mint has not come for a day and nothing was sent to the recipient. Another operator approves it.
   */
  proposeAdvance<O extends CallOptions>(params: T.BridgeProposeAdvanceParams, options?: O): Reply<T.BridgeProposeAdvanceAnswer, O> {
    return this._reply<T.BridgeProposeAdvanceAnswer, O>(['bridge.proposeAdvance', 'POST', '/bridge/transfers/{bridge_transfer_id}/advance', {"money":true}], params, options);
  }

  /**
   * Pay ahead
   *
   * Pays the source of a stalled transfer from the treasury, as a second operator.
   *
   * By another operator than the one who proposed it. From then on the recipient gets nothing: the source gets the amount without the fees, from the treasury on its own chain, and a mint that comes later is the platform’s. Names the version that was read.
   */
  approveAdvance<O extends CallOptions>(params: T.BridgeApproveAdvanceParams, options?: O): Reply<T.BridgeApproveAdvanceAnswer, O> {
    return this._reply<T.BridgeApproveAdvanceAnswer, O>(['bridge.approveAdvance', 'POST', '/bridge/transfers/{bridge_transfer_id}/advance/approve', {"money":true}], params, options);
  }
}

export class Agent extends Resource {
  /**
   * Ask the wallet agent
   *
   * Does with the caller’s wallets what a sentence asks for, in English or Indonesian.
   *
   * Users call it for their own wallets. Where something is missing the answer is 206 and names it in `missing_parameter`; before money moves the agent shows amount, coin and receiver, and acts only after a yes. What it does is what the endpoints do, with their limits and events.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  process<O extends CallOptions>(params: T.AgentProcessParams, options?: O): Reply<T.AgentProcessAnswer, O> {
    return this._reply<T.AgentProcessAnswer, O>(['agent.process', 'POST', '/agent/wallets/process', {"money":true}], params, options);
  }

  /**
   * Check the wallet agent
   *
   * Whether the agent works, by what its model, its database and its chains answer.
   *
   * Any logged-in user may call it. It is 503 where the agent cannot work.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  health(params: T.AgentHealthParams = {}, options?: CallOptions): ApiPromise<T.AgentHealthAnswer> {
    return this._call<T.AgentHealthAnswer>(['agent.health', 'GET', '/agent/health'], params, options);
  }
}

export class IdrTokens extends Resource {
  /**
   * Buy rupiah tokens
   *
   * Begins a purchase of tokens, and answers where to pay it.
   *
   * A user calls it. The answer has `paymentUrl`, where the buyer pays `totalAmount` (the amount and the fee of the method) by QRIS, virtual account or e-wallet until `expiresAt`, 24 hours later. Then the tokens are minted to `walletAddress`: within seconds as a rule, within 24 hours at the most. `idr_mint.minted` and `idr_mint.completed` follow; a purchase without a payment in time becomes `CANCELLED`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  buy<O extends CallOptions>(params: T.IdrTokensBuyParams, options?: O): Reply<T.IdrTokensBuyAnswer, O> {
    return this._reply<T.IdrTokensBuyAnswer, O>(['idrTokens.buy', 'POST', '/idrtoken/onramp/initiate', {"money":true}], params, options);
  }

  /**
   * Get a purchase of tokens
   *
   * How a purchase of tokens stands.
   */
  getPurchase(params: T.IdrTokensGetPurchaseParams, options?: CallOptions): ApiPromise<T.IdrTokensGetPurchaseAnswer> {
    return this._call<T.IdrTokensGetPurchaseAnswer>(['idrTokens.getPurchase', 'GET', '/idrtoken/onramp/status/{reference_id}'], params, options);
  }

  /**
   * Redeem rupiah tokens
   *
   * Pays tokens that were burnt on chain out to a bank account.
   *
   * The wallet that burnt has to be the caller’s: managed here, or proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. A proof may come after the burn. In mock mode a wallet outside need not be proven.
   *
   * A user burns the tokens on chain first and names the transaction here. The chain has to show the burn of this token, wallet and amount, and a burn pays out once. The bank account gets the amount less 5,000 IDR (35,000 IDR above 250,000,000, and then in office hours only), within 24 hours. `payout.succeeded` follows.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  redeem<O extends CallOptions>(params: T.IdrTokensRedeemParams, options?: O): Reply<T.IdrTokensRedeemAnswer, O> {
    return this._reply<T.IdrTokensRedeemAnswer, O>(['idrTokens.redeem', 'POST', '/idrtoken/offramp/initiate', {"money":true}], params, options);
  }

  /**
   * Get a redemption of tokens
   *
   * How a redemption of tokens stands.
   */
  getRedemption(params: T.IdrTokensGetRedemptionParams, options?: CallOptions): ApiPromise<T.IdrTokensGetRedemptionAnswer> {
    return this._call<T.IdrTokensGetRedemptionAnswer>(['idrTokens.getRedemption', 'GET', '/idrtoken/offramp/status/{reference_id}'], params, options);
  }

  /**
   * Add a bank account
   *
   * Registers a bank account in the name of the caller.
   *
   * A user registers an own account: `accountName` has to be the user’s registered name. Redemptions and payouts in rupiah go to it. `bank_account.added` follows.
   */
  addBank<O extends CallOptions>(params: T.IdrTokensAddBankParams, options?: O): Reply<T.IdrTokensAddBankAnswer, O> {
    return this._reply<T.IdrTokensAddBankAnswer, O>(['idrTokens.addBank', 'POST', '/idrtoken/banks/add', {"money":true}], params, options);
  }

  /**
   * List bank accounts
   *
   * The caller's bank accounts in use, the primary one first.
   *
   * A user sees the own accounts; removed ones are not listed.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listBanks(params: T.IdrTokensListBanksParams = {}, options?: CallOptions): ApiPromise<T.IdrTokensListBanksAnswer> {
    return this._call<T.IdrTokensListBanksAnswer>(['idrTokens.listBanks', 'GET', '/idrtoken/banks/list'], params, options);
  }

  /**
   * Remove a bank account
   *
   * Ends the use of a bank account that is neither the primary nor the last one.
   */
  removeBank(params: T.IdrTokensRemoveBankParams, options?: CallOptions): ApiPromise<T.IdrTokensRemoveBankAnswer> {
    return this._call<T.IdrTokensRemoveBankAnswer>(['idrTokens.removeBank', 'DELETE', '/idrtoken/banks/{bank_id}'], params, options);
  }

  /**
   * List purchases of tokens
   *
   * The caller's purchases of tokens, newest first.
   *
   * A user sees the own purchases. `status` takes the words PENDING, PAID, MINTED, SUCCESS and FAILED, and CANCELLED for purchases without a payment within 24 hours: these are not among the FAILED ones.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listMints(params: T.IdrTokensListMintsParams = {}, options?: CallOptions): PagePromise<T.IdrTokensListMintsAnswer, T.Row<T.IdrTokensListMintsAnswer, 'data'>> {
    return this._page<T.IdrTokensListMintsAnswer, T.Row<T.IdrTokensListMintsAnswer, 'data'>>(['idrTokens.listMints', 'GET', '/idrtoken/transactions/mint', {"page":{"parameter":"page","items":"data"}}], params, options);
  }

  /**
   * List redemptions of tokens
   *
   * The caller's redemptions of tokens, newest first.
   *
   * A user sees the own redemptions. `status` takes the words PENDING, PROCESSING, COMPLETED and FAILED.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listRedemptions(params: T.IdrTokensListRedemptionsParams = {}, options?: CallOptions): PagePromise<T.IdrTokensListRedemptionsAnswer, T.Row<T.IdrTokensListRedemptionsAnswer, 'data'>> {
    return this._page<T.IdrTokensListRedemptionsAnswer, T.Row<T.IdrTokensListRedemptionsAnswer, 'data'>>(['idrTokens.listRedemptions', 'GET', '/idrtoken/transactions/redeem', {"page":{"parameter":"page","items":"data"}}], params, options);
  }

  /**
   * Refund a token transaction
   *
   * Gives a transaction back to its user’s IDR wallet, once, less the refund’s fee.
   *
   * Minted tokens are taken back first, from the wallet that got them, which has to be the user’s: managed here, or proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. Else the answer is 409 CONFLICT. In mock mode a wallet outside need not be proven. Whatever the purchase was before, it is then `FAILED` with the payment status `REFUNDED`: the one way that leads out of `SUCCESS`. A redemption is refunded only once the gateway confirms on a new request that its transfer has failed: until then the answer is NOT_READY. Money that came too late, twice or as another sum is no transaction: `POST /idrtoken/payments/{payment_id}/refund` gives it back.
   *
   * An admin calls it for the people of the own client, once for each transaction. The user’s IDR wallet gets the amount less the fee of `GET /idrtoken/fees`; minted tokens are burnt first.
   */
  refund<O extends CallOptions>(params: T.IdrTokensRefundParams, options?: O): Reply<T.IdrTokensRefundAnswer, O> {
    return this._reply<T.IdrTokensRefundAnswer, O>(['idrTokens.refund', 'POST', '/idrtoken/admin/refund', {"money":true}], params, options);
  }

  /**
   * List payment methods
   *
   * How tokens may be paid, and what that costs.
   *
   * Any logged-in user may call it. A fee is in rupiah, or a percentage where `fee_type` says so.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listMethods(params: T.IdrTokensListMethodsParams = {}, options?: CallOptions): ApiPromise<T.IdrTokensListMethodsAnswer> {
    return this._call<T.IdrTokensListMethodsAnswer>(['idrTokens.listMethods', 'GET', '/idrtoken/payment-methods'], params, options);
  }

  /**
   * Get fees of tokens
   *
   * What buying, redeeming and refunding costs.
   *
   * Any logged-in user may call it. The fee of EWALLET is a percentage of the amount, all others are in rupiah. The block for bridges says that there is none.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  getFees(params: T.IdrTokensGetFeesParams = {}, options?: CallOptions): ApiPromise<T.IdrTokensGetFeesAnswer> {
    return this._call<T.IdrTokensGetFeesAnswer>(['idrTokens.getFees', 'GET', '/idrtoken/fees'], params, options);
  }

  /**
   * List unmatched payments
   *
   * Money that came in too late, once more or as another sum and is owed to its payer; newest first, for the operator.
   *
   * Only an admin of the operator may call it. Each row is settled by one of its neighbours: assign, refund or mark-refunded.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listPayments(params: T.IdrTokensListPaymentsParams = {}, options?: CallOptions): PagePromise<T.IdrTokensListPaymentsAnswer, T.Row<T.IdrTokensListPaymentsAnswer, 'data'>> {
    return this._page<T.IdrTokensListPaymentsAnswer, T.Row<T.IdrTokensListPaymentsAnswer, 'data'>>(['idrTokens.listPayments', 'GET', '/idrtoken/payments', {"page":{"parameter":"before","items":"data","next":"pagination.next_before"}}], params, options);
  }

  /**
   * Assign an unmatched payment
   *
   * Pays a purchase with money that is owed to its payer, and mints it, once; the rest stays owed; for the operator.
   *
   * Only an admin of the operator may call it. The purchase is minted as if its buyer had paid it.
   */
  assignPayment<O extends CallOptions>(params: T.IdrTokensAssignPaymentParams, options?: O): Reply<T.IdrTokensAssignPaymentAnswer, O> {
    return this._reply<T.IdrTokensAssignPaymentAnswer, O>(['idrTokens.assignPayment', 'POST', '/idrtoken/payments/{payment_id}/assign', {"money":true}], params, options);
  }

  /**
   * Refund an unmatched payment
   *
   * Credits money that is owed to its payer’s IDR wallet, once, without a fee; for the operator.
   *
   * Only an admin of the operator may call it. The buyer’s IDR wallet has the money at once.
   */
  refundPayment<O extends CallOptions>(params: T.IdrTokensRefundPaymentParams, options?: O): Reply<T.IdrTokensRefundPaymentAnswer, O> {
    return this._reply<T.IdrTokensRefundPaymentAnswer, O>(['idrTokens.refundPayment', 'POST', '/idrtoken/payments/{payment_id}/refund', {"money":true}], params, options);
  }

  /**
   * Mark an unmatched payment refunded
   *
   * Says that a payer has got money back by other means than a refund of ours; for the operator.
   *
   * Only an admin of the operator may call it, for example after a transfer by hand. It moves nothing to the payer.
   */
  markPaymentRefunded<O extends CallOptions>(params: T.IdrTokensMarkPaymentRefundedParams, options?: O): Reply<T.IdrTokensMarkPaymentRefundedAnswer, O> {
    return this._reply<T.IdrTokensMarkPaymentRefundedAnswer, O>(['idrTokens.markPaymentRefunded', 'POST', '/idrtoken/payments/{payment_id}/mark-refunded', {"money":true}], params, options);
  }
}

export class ExchangeWallets extends Resource {
  /**
   * Save a withdrawal wallet
   *
   * Registers the address that USDC goes to on a network, or replaces it.
   *
   * A user registers an own address; there is one for each network, and a second one replaces the first. Conversions pay out to the primary one. `exchange_wallet.created` or `exchange_wallet.updated` follows.
   */
  save<O extends CallOptions>(params: T.ExchangeWalletsSaveParams, options?: O): Reply<T.ExchangeWalletsSaveAnswer, O> {
    return this._reply<T.ExchangeWalletsSaveAnswer, O>(['exchangeWallets.save', 'POST', '/exchange/crypto-wallet/save', {"money":true}], params, options);
  }

  /**
   * Delete a withdrawal wallet
   *
   * Removes a withdrawal wallet; no other one takes its place by itself.
   */
  delete(params: T.ExchangeWalletsDeleteParams, options?: CallOptions): ApiPromise<T.ExchangeWalletsDeleteAnswer> {
    return this._call<T.ExchangeWalletsDeleteAnswer>(['exchangeWallets.delete', 'POST', '/exchange/crypto-wallet/delete'], params, options);
  }

  /**
   * List withdrawal wallets
   *
   * The registered withdrawal wallets, the primary one first.
   *
   * A user sees the own addresses.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  list(params: T.ExchangeWalletsListParams = {}, options?: CallOptions): ApiPromise<T.ExchangeWalletsListAnswer> {
    return this._call<T.ExchangeWalletsListAnswer>(['exchangeWallets.list', 'GET', '/exchange/crypto-wallet/list'], params, options);
  }

  /**
   * Get the primary withdrawal wallet
   *
   * The wallet that converted money goes to.
   */
  getPrimary(params: T.ExchangeWalletsGetPrimaryParams = {}, options?: CallOptions): ApiPromise<T.ExchangeWalletsGetPrimaryAnswer> {
    return this._call<T.ExchangeWalletsGetPrimaryAnswer>(['exchangeWallets.getPrimary', 'GET', '/exchange/crypto-wallet/primary'], params, options);
  }

  /**
   * List withdrawal networks
   *
   * The networks on which USDC is paid out, each with an example of an address.
   *
   * Any logged-in user may call it.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listNetworks(params: T.ExchangeWalletsListNetworksParams = {}, options?: CallOptions): ApiPromise<T.ExchangeWalletsListNetworksAnswer> {
    return this._call<T.ExchangeWalletsListNetworksAnswer>(['exchangeWallets.listNetworks', 'GET', '/exchange/crypto-wallet/networks'], params, options);
  }
}

export class Conversions extends Resource {
  /**
   * Run the daily conversion
   *
   * Converts the rupiah of every eligible user, once a day; a schedule does it, too.
   *
   * An admin calls it for the people of the own client, the operator for everybody. It sets aside the rupiah of each user who has 200,000 IDR or more and a primary address, and has them paid to the exchange. A second run on the same day is 409. `conversion.started` follows for each.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  runDaily<O extends CallOptions>(params: T.ConversionsRunDailyParams = {}, options?: O): Reply<T.ConversionsRunDailyAnswer, O> {
    return this._reply<T.ConversionsRunDailyAnswer, O>(['conversions.runDaily', 'POST', '/exchange/conversion/run-daily', {"money":true}], params, options);
  }

  /**
   * List pending conversions
   *
   * Users with rupiah that a daily run would convert, or why it would not.
   *
   * An admin sees the people of the own client, the operator everybody.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listPending(params: T.ConversionsListPendingParams = {}, options?: CallOptions): PagePromise<T.ConversionsListPendingAnswer, T.Row<T.ConversionsListPendingAnswer, 'data.users'>> {
    return this._page<T.ConversionsListPendingAnswer, T.Row<T.ConversionsListPendingAnswer, 'data.users'>>(['conversions.listPending', 'GET', '/exchange/conversion/pending', {"page":{"parameter":"before","items":"data.users"}}], params, options);
  }

  /**
   * Look for arrived disbursements
   *
   * Looks which disbursements have come to the exchange; a schedule does it every hour.
   *
   * An admin calls it; it looks at all jobs that wait. Confirmed ones become `TRADING` (`conversion.confirmed`). To an admin of a client `exchange_balance` shows the share of that client’s jobs, all of which is held for them. To the operator `available` is what no conversion has a claim to; while an order is open no USDC are.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  pollBalance<O extends CallOptions>(params: T.ConversionsPollBalanceParams = {}, options?: O): Reply<T.ConversionsPollBalanceAnswer, O> {
    return this._reply<T.ConversionsPollBalanceAnswer, O>(['conversions.pollBalance', 'POST', '/exchange/conversion/poll-balance', {"money":true}], params, options);
  }

  /**
   * Run due trades
   *
   * Begins the trades and withdrawals that are due; a schedule does it every hour.
   *
   * An admin calls it. USDC that were bought go to the primary address of each user. An order or withdrawal that the exchange refuses is tried again later. `conversion.traded` and `conversion.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  runTrades<O extends CallOptions>(params: T.ConversionsRunTradesParams = {}, options?: O): Reply<T.ConversionsRunTradesAnswer, O> {
    return this._reply<T.ConversionsRunTradesAnswer, O>(['conversions.runTrades', 'POST', '/exchange/conversion/run-trades', {"money":true}], params, options);
  }

  /**
   * Start a conversion
   *
   * Sends rupiah of one's own wallet to the exchange, to be bought USDC for.
   *
   * The fee of the exchange and that of the network on which the USDC are withdrawn are taken from the USDC, so that less arrives than was bought: `estimate` says how much, by the reference rate and the latest fees.
   *
   * The owner of the IDR wallet calls it, with 200,000 IDR or more. The rupiah are set aside and paid to the exchange’s account; then they are traded for USDC, which goes to the primary address of `POST /exchange/crypto-wallet/save`. `GET /exchange/conversion/status/{job_id}` shows how far it is; `conversion.completed` or `conversion.failed` follows. A mismatch of the books before the payment is 403 `RECONCILIATION_FAILED` and moves nothing.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  start<O extends CallOptions>(params: T.ConversionsStartParams, options?: O): Reply<T.ConversionsStartAnswer, O> {
    return this._reply<T.ConversionsStartAnswer, O>(['conversions.start', 'POST', '/exchange/disbursement/start', {"money":true}], params, options);
  }

  /**
   * Send the rupiah of a conversion
   *
   * Sees to it that a job's rupiah are on their way, and lets it wait for the exchange.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  execute<O extends CallOptions>(params: T.ConversionsExecuteParams, options?: O): Reply<T.ConversionsExecuteAnswer, O> {
    return this._reply<T.ConversionsExecuteAnswer, O>(['conversions.execute', 'POST', '/exchange/conversion/execute/{job_id}', {"money":true}], params, options);
  }

  /**
   * Look for one disbursement
   *
   * Looks whether the rupiah of one job have come to the exchange.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  pollJob<O extends CallOptions>(params: T.ConversionsPollJobParams, options?: O): Reply<T.ConversionsPollJobAnswer, O> {
    return this._reply<T.ConversionsPollJobAnswer, O>(['conversions.pollJob', 'POST', '/exchange/conversion/poll-job/{job_id}', {"money":true}], params, options);
  }

  /**
   * Execute one trade
   *
   * Trades and withdraws one job here and now, also one that was refused before.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  executeTrade<O extends CallOptions>(params: T.ConversionsExecuteTradeParams, options?: O): Reply<T.ConversionsExecuteTradeAnswer, O> {
    return this._reply<T.ConversionsExecuteTradeAnswer, O>(['conversions.executeTrade', 'POST', '/exchange/conversion/execute-trade/{job_id}', {"money":true}], params, options);
  }

  /**
   * Get a conversion
   *
   * A conversion job, with what was traded and where it was paid out to.
   */
  getStatus(params: T.ConversionsGetStatusParams, options?: CallOptions): ApiPromise<T.ConversionsGetStatusAnswer> {
    return this._call<T.ConversionsGetStatusAnswer>(['conversions.getStatus', 'GET', '/exchange/conversion/status/{job_id}'], params, options);
  }
}

export class Cardano extends Resource {
  /**
   * Pay from a card to a wallet
   *
   * From a card over USDC on Cardano to a wallet.
   *
   * The card pays `fiat_amount`; users call it for themselves. The platform mints USDC on Cardano, burns them and pays the wallet, which may be any of the same client. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative time on the public network: 30 minutes to 2 hours. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  cardToWallet<O extends CallOptions>(params: T.CardanoCardToWalletParams, options?: O): Reply<T.CardanoCardToWalletAnswer, O> {
    return this._reply<T.CardanoCardToWalletAnswer, O>(['cardano.cardToWallet', 'POST', '/cardano/onramp-bank-offramp-wallet', {"money":true}], params, options);
  }

  /**
   * Pay from a card to a bank
   *
   * From a card over USDC on Cardano to a bank.
   *
   * The card pays `fiat_amount`; users call it for themselves. Their first bank account gets the money. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative time on the public network: 2 to 4 hours. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  cardToBank<O extends CallOptions>(params: T.CardanoCardToBankParams, options?: O): Reply<T.CardanoCardToBankAnswer, O> {
    return this._reply<T.CardanoCardToBankAnswer, O>(['cardano.cardToBank', 'POST', '/cardano/onramp-bank-offramp-bank', {"money":true}], params, options);
  }

  /**
   * Pay from a card to an address
   *
   * From a card to USDC at an address on Cardano.
   *
   * The card pays `fiat_amount`; users call it for themselves. The USDC are minted to `user_wallet_address`. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative time on the public network: 5 to 10 minutes for the mint. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  cardToAddress<O extends CallOptions>(params: T.CardanoCardToAddressParams, options?: O): Reply<T.CardanoCardToAddressAnswer, O> {
    return this._reply<T.CardanoCardToAddressAnswer, O>(['cardano.cardToAddress', 'POST', '/cardano/onramp-bank-mint-user', {"money":true}], params, options);
  }

  /**
   * Pay from a wallet to a bank
   *
   * From a wallet over USDC on Cardano to a bank.
   *
   * The user’s own wallet pays `fiat_amount`, which is set aside first. The user’s first bank account gets the money. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative time on the public network: 1 to 3 business days. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow. What the bank refuses goes back to the wallet.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  walletToBank<O extends CallOptions>(params: T.CardanoWalletToBankParams, options?: O): Reply<T.CardanoWalletToBankAnswer, O> {
    return this._reply<T.CardanoWalletToBankAnswer, O>(['cardano.walletToBank', 'POST', '/cardano/onramp-wallet-offramp-bank', {"money":true}], params, options);
  }

  /**
   * Pay from a wallet to a wallet
   *
   * From a wallet over USDC on Cardano to a wallet.
   *
   * The user’s own wallet pays `fiat_amount`, which is set aside first. The other wallet may be any of the same client. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative times on the public network: 5 to 10 minutes for the mint, 1 to 2 minutes for a transfer. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  walletToWallet<O extends CallOptions>(params: T.CardanoWalletToWalletParams, options?: O): Reply<T.CardanoWalletToWalletAnswer, O> {
    return this._reply<T.CardanoWalletToWalletAnswer, O>(['cardano.walletToWallet', 'POST', '/cardano/onramp-wallet-offramp-wallet', {"money":true}], params, options);
  }

  /**
   * Pay from a wallet to an address
   *
   * From a wallet to USDC at an address on Cardano.
   *
   * The user’s own wallet pays `fiat_amount`, which is set aside first. The USDC are minted to `user_wallet_address`. The fee is 0.5 % of the amount on the way in and 0.75 % on the way out, and minting and burning are part of it. The network takes about 0.17 ADA for each transaction; what the percentages do not cover of it is charged on top of the amount as `network_fee`. Indicative times on the public network: 5 to 10 minutes for the mint, 1 to 2 minutes for a transfer. What is not decided within half a minute is 503 with `status: PENDING`; the same `Idempotency-Key` asks again. `cardano_order.minted` and `cardano_order.completed` follow.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  walletToAddress<O extends CallOptions>(params: T.CardanoWalletToAddressParams, options?: O): Reply<T.CardanoWalletToAddressAnswer, O> {
    return this._reply<T.CardanoWalletToAddressAnswer, O>(['cardano.walletToAddress', 'POST', '/cardano/onramp-wallet-mint-user', {"money":true}], params, options);
  }

  /**
   * List orders on Cardano
   *
   * What a user's orders have done, newest first.
   *
   * Users read their own history; an admin reads that of the people of the own client.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   */
  listHistory(params: T.CardanoListHistoryParams, options?: CallOptions): PagePromise<T.CardanoListHistoryAnswer, T.Row<T.CardanoListHistoryAnswer, ''>> {
    return this._page<T.CardanoListHistoryAnswer, T.Row<T.CardanoListHistoryAnswer, ''>>(['cardano.listHistory', 'GET', '/cardano/history/{user_id}', {"page":{"parameter":"before","items":""}}], params, options);
  }

  /**
   * Get minted volume by day
   *
   * USDC that a user's orders have minted, for each of the last 30 days (UTC).
   *
   * Users read their own volume; an admin reads that of the people of the own client. An order counts once, on the day of its mint.
   */
  getVolume(params: T.CardanoGetVolumeParams, options?: CallOptions): ApiPromise<T.CardanoGetVolumeAnswer> {
    return this._call<T.CardanoGetVolumeAnswer>(['cardano.getVolume', 'GET', '/cardano/volume/{user_id}'], params, options);
  }

  /**
   * Get the treasury’s balance
   *
   * What the platform's treasury holds, and its value.
   *
   * Any logged-in user may call it. Each call reads the chain. `held` is what transactions under way spend, and the ADA that the network wants beside tokens; the network’s fee comes out of the ADA that are available.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  treasuryBalance(params: T.CardanoTreasuryBalanceParams = {}, options?: CallOptions): ApiPromise<T.CardanoTreasuryBalanceAnswer> {
    return this._call<T.CardanoTreasuryBalanceAnswer>(['cardano.treasuryBalance', 'GET', '/cardano/balance'], params, options);
  }

  /**
   * Get the balance of an address
   *
   * What an address holds, and its value.
   *
   * Any logged-in user may call it. Each call reads the chain. Of the ADA those are `held` that the network wants beside the tokens of the address, about one ADA; the network’s fee comes out of those that are available, and no output is smaller than about one ADA.
   *
   * On 503 try again after `Retry-After`: nothing has changed.
   */
  addressBalance(params: T.CardanoAddressBalanceParams, options?: CallOptions): ApiPromise<T.CardanoAddressBalanceAnswer> {
    return this._call<T.CardanoAddressBalanceAnswer>(['cardano.addressBalance', 'GET', '/cardano/balance/{address}'], params, options);
  }
}

export class Xrpl extends Resource {
  /**
   * Buy USDC on the XRP Ledger
   *
   * Buys USDC on the XRP Ledger for money of a wallet; the platform holds it for the user.
   *
   * A user calls it. `fiat_amount` comes out of the caller’s wallet of that currency; an `amount` of USDC out of the USD wallet at the rate of the moment. The platform holds the USDC for the user, who can sell or send them. The ledger decides within seconds; `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the wallet has its money back. After a 503 `GET /xrpl/onramp/status/{txid}` shows the end.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  buy<O extends CallOptions>(params: T.XrplBuyParams = {}, options?: O): Reply<T.XrplBuyAnswer, O> {
    return this._reply<T.XrplBuyAnswer, O>(['xrpl.buy', 'POST', '/xrpl/onramp/init', {"money":true}], params, options);
  }

  /**
   * Sell or send USDC on the XRP Ledger
   *
   * Sends USDC to an address of the XRP Ledger, or sells it to a wallet or bank account.
   *
   * A user calls it; the user’s USDC pay. They go to `destination_address`, or are sold for `target_fiat` into a wallet or a bank account. An address of many people needs its `destination_tag`. An address without a trust line for USDC is 400; in mock mode such an address, also one that does not exist, is opened on the sandbox’s ledger and gets its trust line, so that everything can be tried. `xrpl_transaction.succeeded` follows, or `xrpl_transaction.failed`, and then the user has the USDC back.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  sell<O extends CallOptions>(params: T.XrplSellParams = {}, options?: O): Reply<T.XrplSellAnswer, O> {
    return this._reply<T.XrplSellAnswer, O>(['xrpl.sell', 'POST', '/xrpl/offramp/init', {"money":true}], params, options);
  }

  /**
   * Get a purchase of USDC
   *
   * How an operation stands, by the hash of its transaction or its id.
   */
  getPurchase(params: T.XrplGetPurchaseParams, options?: CallOptions): ApiPromise<T.XrplGetPurchaseAnswer> {
    return this._call<T.XrplGetPurchaseAnswer>(['xrpl.getPurchase', 'GET', '/xrpl/onramp/status/{txid}'], params, options);
  }

  /**
   * Get a sale of USDC
   *
   * How an operation stands, by the hash of its transaction or its id.
   */
  getSale(params: T.XrplGetSaleParams, options?: CallOptions): ApiPromise<T.XrplGetSaleAnswer> {
    return this._call<T.XrplGetSaleAnswer>(['xrpl.getSale', 'GET', '/xrpl/offramp/status/{txid}'], params, options);
  }

  /**
   * List operations on the XRP Ledger
   *
   * The caller’s operations on the XRP Ledger, newest first.
   *
   * A user sees the own operations.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 50000 rows, or with `limit` that page.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listHistory(params: T.XrplListHistoryParams = {}, options?: CallOptions): PagePromise<T.XrplListHistoryAnswer, T.Row<T.XrplListHistoryAnswer, 'history'>> {
    return this._page<T.XrplListHistoryAnswer, T.Row<T.XrplListHistoryAnswer, 'history'>>(['xrpl.listHistory', 'GET', '/xrpl/history', {"page":{"parameter":"before","items":"history"}}], params, options);
  }
}

export class Purchases extends Resource {
  /**
   * Read a wish
   *
   * What somebody wants, and the address of the page that they name.
   *
   * Any API key may call it. A language model reads the sentence; nothing is ordered. `POST /mcp/step2` reads the page.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  readWish(params: T.PurchasesReadWishParams, options?: CallOptions): ApiPromise<T.PurchasesReadWishAnswer> {
    return this._call<T.PurchasesReadWishAnswer>(['purchases.readWish', 'POST', '/mcp/step1'], params, options);
  }

  /**
   * Read a product page
   *
   * Reads the product off a shop’s page.
   *
   * Any API key may call it. The page has to be public; its address is called by the platform. `product.page_seal` proves title and price, and the order sends it along. Nothing is ordered.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  readPage(params: T.PurchasesReadPageParams, options?: CallOptions): ApiPromise<T.PurchasesReadPageAnswer> {
    return this._call<T.PurchasesReadPageAnswer>(['purchases.readPage', 'POST', '/mcp/step2'], params, options);
  }

  /**
   * Get a quote for a product
   *
   * What a product costs in USDC now, with a quote that the order may bring along.
   *
   * Any API key may call it. `quote` holds the price for 15 minutes; the order sends it along. Nothing is ordered, and nothing is reserved.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  quote(params: T.PurchasesQuoteParams, options?: CallOptions): ApiPromise<T.PurchasesQuoteAnswer> {
    return this._call<T.PurchasesQuoteAnswer>(['purchases.quote', 'POST', '/mcp/step3a'], params, options);
  }

  /**
   * Create an order
   *
   * Writes down what is to be bought, for what and for whom; with `selected_chain` as the second version does.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  order<O extends CallOptions>(params: T.PurchasesOrderParams, options?: O): Reply<T.PurchasesOrderAnswer, O> {
    return this._reply<T.PurchasesOrderAnswer, O>(['purchases.order', 'POST', '/mcp/create-order', {"money":true}], params, options);
  }

  /**
   * Execute an order
   *
   * Pays a confirmed order on chain, sells the USDC, records the purchase, mails a receipt.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  execute<O extends CallOptions>(params: T.PurchasesExecuteParams, options?: O): Reply<T.PurchasesExecuteAnswer, O> {
    return this._reply<T.PurchasesExecuteAnswer, O>(['purchases.execute', 'POST', '/mcp/execute-order', {"money":true}], params, options);
  }

  /**
   * List chains to pay on
   *
   * The chains that an order can be paid on, with contracts and what gas costs there now.
   *
   * Any API key may call it. The order names one of the chains as `selected_chain`.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  listChains(params: T.PurchasesListChainsParams, options?: CallOptions): ApiPromise<T.PurchasesListChainsAnswer> {
    return this._call<T.PurchasesListChainsAnswer>(['purchases.listChains', 'POST', '/mcp/chain-selector'], params, options);
  }

  /**
   * Create an order on a chain
   *
   * Writes an order down for the chain that was chosen.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  orderOnChain<O extends CallOptions>(params: T.PurchasesOrderOnChainParams, options?: O): Reply<T.PurchasesOrderOnChainAnswer, O> {
    return this._reply<T.PurchasesOrderOnChainAnswer, O>(['purchases.orderOnChain', 'POST', '/mcp/v2/create-order', {"money":true}], params, options);
  }

  /**
   * Execute an order on a chain
   *
   * The same, and tells on which chain it was paid.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  executeOnChain<O extends CallOptions>(params: T.PurchasesExecuteOnChainParams, options?: O): Reply<T.PurchasesExecuteOnChainAnswer, O> {
    return this._reply<T.PurchasesExecuteOnChainAnswer, O>(['purchases.executeOnChain', 'POST', '/mcp/v2/execute-order', {"money":true}], params, options);
  }
}

export class Marketplace extends Resource {
  /**
   * Chat about a purchase
   *
   * Talks with a shopper, and says what is wanted; does nothing else.
   *
   * Anybody may call it. A language model answers; nothing is ordered. The caller keeps the conversation and sends it along as `conversation_history`.
   */
  chat(params: T.MarketplaceChatParams, options?: CallOptions): ApiPromise<T.MarketplaceChatAnswer> {
    return this._call<T.MarketplaceChatAnswer>(['marketplace.chat', 'POST', '/marketplace/chat'], params, options);
  }

  /**
   * Search products
   *
   * Finds goods in the marketplaces, misspelt words and other languages included.
   *
   * Anybody may call it. Prices of goods in rupiah are shown in USD at the rate of now. `POST /marketplace/orders` takes a product as it is answered here.
   */
  search(params: T.MarketplaceSearchParams, options?: CallOptions): ApiPromise<T.MarketplaceSearchAnswer> {
    return this._call<T.MarketplaceSearchAnswer>(['marketplace.search', 'POST', '/marketplace/search'], params, options);
  }

  /**
   * Order a product
   *
   * Orders a product for USDC at the price its marketplace asks now, and answers how to pay it.
   *
   * A plain transfer of the exact amount from `wallet_address` pays the order, so that the wallet has to be the caller’s: managed here, or proven by `POST /wallet-proofs` or `POST /extauth/auth/link-wallet`. In mock mode a wallet outside need not be proven.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  order<O extends CallOptions>(params: T.MarketplaceOrderParams, options?: O): Reply<T.MarketplaceOrderAnswer, O> {
    return this._reply<T.MarketplaceOrderAnswer, O>(['marketplace.order', 'POST', '/marketplace/orders', {"money":true}], params, options);
  }

  /**
   * List orders
   *
   * One's own orders, newest first.
   *
   * A user sees the own orders.
   *
   * With `Accept: text/csv` the answer is a table: all that is asked for, up to 10000 rows, or with `limit` that page.
   */
  listOrders(params: T.MarketplaceListOrdersParams = {}, options?: CallOptions): PagePromise<T.MarketplaceListOrdersAnswer, T.Row<T.MarketplaceListOrdersAnswer, 'orders'>> {
    return this._page<T.MarketplaceListOrdersAnswer, T.Row<T.MarketplaceListOrdersAnswer, 'orders'>>(['marketplace.listOrders', 'GET', '/marketplace/orders', {"page":{"parameter":"offset","items":"orders"}}], params, options);
  }

  /**
   * Get an order
   *
   * How one's order stands; an admin reads those of the own client.
   */
  getOrder(params: T.MarketplaceGetOrderParams, options?: CallOptions): ApiPromise<T.MarketplaceGetOrderAnswer> {
    return this._call<T.MarketplaceGetOrderAnswer>(['marketplace.getOrder', 'GET', '/marketplace/orders/{order_id}'], params, options);
  }

  /**
   * Pay an order
   *
   * Pays one's order from the managed wallet that it names, once.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  pay<O extends CallOptions>(params: T.MarketplacePayParams, options?: O): Reply<T.MarketplacePayAnswer, O> {
    return this._reply<T.MarketplacePayAnswer, O>(['marketplace.pay', 'POST', '/marketplace/orders/{order_id}/pay', {"money":true}], params, options);
  }

  /**
   * Show the payment page
   *
   * A page for people: what to pay, and whether it was paid. The link with its key is in the order.
   */
  showPayment(params: T.MarketplaceShowPaymentParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['marketplace.showPayment', 'GET', '/marketplace/orders/{order_id}/pay', {"answer":"text"}], params, options);
  }

  /**
   * Fulfil an order
   *
   * Says that a paid order is bought at the shop, under the shop's number; or that it cannot be had, and why.
   */
  fulfil<O extends CallOptions>(params: T.MarketplaceFulfilParams, options?: O): Reply<T.MarketplaceFulfilAnswer, O> {
    return this._reply<T.MarketplaceFulfilAnswer, O>(['marketplace.fulfil', 'POST', '/marketplace/orders/{order_id}/fulfilment', {"money":true}], params, options);
  }

  /**
   * List payments owed to payers
   *
   * What was paid and is owed to its payer, or was used and then dropped by its chain; newest first, for the operator.
   *
   * Only an admin of the operator may call it. `POST /marketplace/payments/{payment_id}/refund` and its neighbours settle a payment.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listPayments(params: T.MarketplaceListPaymentsParams = {}, options?: CallOptions): PagePromise<T.MarketplaceListPaymentsAnswer, T.Row<T.MarketplaceListPaymentsAnswer, 'payments'>> {
    return this._page<T.MarketplaceListPaymentsAnswer, T.Row<T.MarketplaceListPaymentsAnswer, 'payments'>>(['marketplace.listPayments', 'GET', '/marketplace/payments', {"page":{"parameter":"before","items":"payments","next":"pagination.next_before"}}], params, options);
  }

  /**
   * Refund an owed payment
   *
   * Sends back from the treasury what a payer is owed, once; for the operator.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  refundPayment<O extends CallOptions>(params: T.MarketplaceRefundPaymentParams, options?: O): Reply<T.MarketplaceRefundPaymentAnswer, O> {
    return this._reply<T.MarketplaceRefundPaymentAnswer, O>(['marketplace.refundPayment', 'POST', '/marketplace/payments/{payment_id}/refund', {"money":true}], params, options);
  }

  /**
   * Assign an owed payment
   *
   * Pays an order with what a payer is owed, once; the rest stays owed; for the operator.
   */
  assignPayment<O extends CallOptions>(params: T.MarketplaceAssignPaymentParams, options?: O): Reply<T.MarketplaceAssignPaymentAnswer, O> {
    return this._reply<T.MarketplaceAssignPaymentAnswer, O>(['marketplace.assignPayment', 'POST', '/marketplace/payments/{payment_id}/assign', {"money":true}], params, options);
  }

  /**
   * Mark an owed payment refunded
   *
   * Says that a payer has got back what was owed by other means than a refund; for the operator.
   */
  markPaymentRefunded<O extends CallOptions>(params: T.MarketplaceMarkPaymentRefundedParams, options?: O): Reply<T.MarketplaceMarkPaymentRefundedAnswer, O> {
    return this._reply<T.MarketplaceMarkPaymentRefundedAnswer, O>(['marketplace.markPaymentRefunded', 'POST', '/marketplace/payments/{payment_id}/mark-refunded', {"money":true}], params, options);
  }

  /**
   * Write off a dropped payment
   *
   * Says what becomes of a payment that the chain has dropped after it was used; for the operator.
   */
  writeOffPayment<O extends CallOptions>(params: T.MarketplaceWriteOffPaymentParams, options?: O): Reply<T.MarketplaceWriteOffPaymentAnswer, O> {
    return this._reply<T.MarketplaceWriteOffPaymentAnswer, O>(['marketplace.writeOffPayment', 'POST', '/marketplace/payments/{payment_id}/write-off', {"money":true}], params, options);
  }
}

export class Rewards extends Resource {
  /**
   * Log in to the rewards app
   *
   * Logs in to the rewards app by phone number; a new number gets an account.
   *
   * The rewards app calls it with its API key. A new number becomes a member with 50 welcome points (`member.joined`, `reward.granted`). Where `REWARDS_LOGIN_CODE` is `required`, as in production, `POST /xotp/verify` has to have proven the number for the purpose `login` before.
   */
  logIn(params: T.RewardsLogInParams, options?: CallOptions): ApiPromise<T.RewardsLogInAnswer> {
    return this._call<T.RewardsLogInAnswer>(['rewards.logIn', 'POST', '/xusers/login', {"secret":true}], params, options);
  }

  /**
   * Delete a member’s account
   *
   * Deletes the caller's account. The phone number cannot log in again.
   */
  deleteAccount(params: T.RewardsDeleteAccountParams = {}, options?: CallOptions): ApiPromise<T.RewardsDeleteAccountAnswer> {
    return this._call<T.RewardsDeleteAccountAnswer>(['rewards.deleteAccount', 'DELETE', '/xaccount/delete'], params, options);
  }

  /**
   * List notifications
   *
   * The member's notifications, newest first.
   */
  listNotifications(params: T.RewardsListNotificationsParams = {}, options?: CallOptions): PagePromise<T.RewardsListNotificationsAnswer, T.Row<T.RewardsListNotificationsAnswer, 'notifications'>> {
    return this._page<T.RewardsListNotificationsAnswer, T.Row<T.RewardsListNotificationsAnswer, 'notifications'>>(['rewards.listNotifications', 'GET', '/xusers/notifications', {"page":{"parameter":"before","items":"notifications"}}], params, options);
  }

  /**
   * Get a member’s profile
   *
   * The caller's profile: points, and the actions that earned them.
   */
  getProfile(params: T.RewardsGetProfileParams = {}, options?: CallOptions): ApiPromise<T.RewardsGetProfileAnswer> {
    return this._call<T.RewardsGetProfileAnswer>(['rewards.getProfile', 'GET', '/xprofiles/getme'], params, options);
  }

  /**
   * List invited members
   *
   * Members who named the caller as their inviter, newest first; the next page is `before` the last.
   */
  listInvited(params: T.RewardsListInvitedParams = {}, options?: CallOptions): PagePromise<T.RewardsListInvitedAnswer, T.Row<T.RewardsListInvitedAnswer, 'invited'>> {
    return this._page<T.RewardsListInvitedAnswer, T.Row<T.RewardsListInvitedAnswer, 'invited'>>(['rewards.listInvited', 'GET', '/xreff/invited-friends', {"page":{"parameter":"before","items":"invited"}}], params, options);
  }

  /**
   * Send a code to an e-mail address
   *
   * Mails a six-digit code that proves the address, valid for ten minutes.
   */
  verifyEmail(params: T.RewardsVerifyEmailParams, options?: CallOptions): ApiPromise<T.RewardsVerifyEmailAnswer> {
    return this._call<T.RewardsVerifyEmailAnswer>(['rewards.verifyEmail', 'POST', '/xmail/verify-email'], params, options);
  }

  /**
   * Confirm an e-mail address by its code
   *
   * Proves the address with the code that was mailed to it.
   */
  confirmEmail(params: T.RewardsConfirmEmailParams, options?: CallOptions): ApiPromise<T.RewardsConfirmEmailAnswer> {
    return this._call<T.RewardsConfirmEmailAnswer>(['rewards.confirmEmail', 'POST', '/xmail/confirm-email', {"secret":true}], params, options);
  }

  /**
   * Claim a username
   *
   * Sets a username, which must be unique; it can be changed later.
   */
  claimUsername(params: T.RewardsClaimUsernameParams, options?: CallOptions): ApiPromise<T.RewardsClaimUsernameAnswer> {
    return this._call<T.RewardsClaimUsernameAnswer>(['rewards.claimUsername', 'POST', '/xprofiles/claim-username'], params, options);
  }

  /**
   * Synchronise contacts
   *
   * Replaces the contacts; an empty list is accepted, but earns nothing.
   */
  syncContacts(params: T.RewardsSyncContactsParams, options?: CallOptions): ApiPromise<T.RewardsSyncContactsAnswer> {
    return this._call<T.RewardsSyncContactsAnswer>(['rewards.syncContacts', 'POST', '/xcontacts/sync'], params, options);
  }

  /**
   * Claim points of a social platform
   *
   * Claims the points of a social platform, by its name or the address of a profile on it.
   */
  claimSocial(params: T.RewardsClaimSocialParams, options?: CallOptions): ApiPromise<T.RewardsClaimSocialAnswer> {
    return this._call<T.RewardsClaimSocialAnswer>(['rewards.claimSocial', 'POST', '/xsocial/claim'], params, options);
  }

  /**
   * Add an inviter
   *
   * Names the person who invited the caller, once.
   */
  addInviter(params: T.RewardsAddInviterParams, options?: CallOptions): ApiPromise<T.RewardsAddInviterAnswer> {
    return this._call<T.RewardsAddInviterAnswer>(['rewards.addInviter', 'POST', '/xreff/add-inviter'], params, options);
  }

  /**
   * Request a one-time code
   *
   * Sends a one-time code by WhatsApp or SMS, valid for five minutes.
   *
   * The rewards app calls it with its API key. `POST /xotp/verify` takes the code once. Limits hold for each number, each network and each day.
   */
  requestCode(params: T.RewardsRequestCodeParams, options?: CallOptions): ApiPromise<T.RewardsRequestCodeAnswer> {
    return this._call<T.RewardsRequestCodeAnswer>(['rewards.requestCode', 'POST', '/xotp/request'], params, options);
  }

  /**
   * Verify a one-time code
   *
   * Verifies a one-time code, once, for the caller who requested it.
   */
  verifyCode(params: T.RewardsVerifyCodeParams, options?: CallOptions): ApiPromise<T.RewardsVerifyCodeAnswer> {
    return this._call<T.RewardsVerifyCodeAnswer>(['rewards.verifyCode', 'POST', '/xotp/verify', {"secret":true}], params, options);
  }

  /**
   * Count the waiting list
   *
   * How many people are on the waiting list.
   *
   * Any API key may call it. The number includes those who waited before the app existed.
   */
  countWaiting(params: T.RewardsCountWaitingParams = {}, options?: CallOptions): ApiPromise<T.RewardsCountWaitingAnswer> {
    return this._call<T.RewardsCountWaitingAnswer>(['rewards.countWaiting', 'GET', '/xwishlist/count'], params, options);
  }
}

export class Socialbot extends Resource {
  /**
   * Start to link an account
   *
   * Starts to link an account: a code for our bot, valid for ten minutes.
   *
   * A new link ends the open one before. The member opens `bot_link`, or writes `code` to the bot; the bot asks whether to link that account to the member (`ASKED`), and after a yes (`CONFIRMING`) the app confirms. Ten starts within 24 hours.
   */
  start(params: T.SocialbotStartParams, options?: CallOptions): ApiPromise<T.SocialbotStartAnswer> {
    return this._call<T.SocialbotStartAnswer>(['socialbot.start', 'POST', '/socialbot/start'], params, options);
  }

  /**
   * List links
   *
   * Lists the links of the member, newest first.
   */
  listLinks(params: T.SocialbotListLinksParams = {}, options?: CallOptions): PagePromise<T.SocialbotListLinksAnswer, T.Row<T.SocialbotListLinksAnswer, 'data.items'>> {
    return this._page<T.SocialbotListLinksAnswer, T.Row<T.SocialbotListLinksAnswer, 'data.items'>>(['socialbot.listLinks', 'GET', '/socialbot/links', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get a link
   *
   * How a link stands, and which account has answered.
   */
  getLink(params: T.SocialbotGetLinkParams, options?: CallOptions): ApiPromise<T.SocialbotGetLinkAnswer> {
    return this._call<T.SocialbotGetLinkAnswer>(['socialbot.getLink', 'GET', '/socialbot/links/{link_id}'], params, options);
  }

  /**
   * Unlink an account
   *
   * Ends a link; its points stay, and are paid only once.
   *
   * The account can be linked again, by any member. `social_link.unlinked` follows.
   */
  unlink(params: T.SocialbotUnlinkParams, options?: CallOptions): ApiPromise<T.SocialbotUnlinkAnswer> {
    return this._call<T.SocialbotUnlinkAnswer>(['socialbot.unlink', 'DELETE', '/socialbot/links/{link_id}'], params, options);
  }

  /**
   * Get the linked accounts
   *
   * Which accounts of the member are linked, by platform.
   */
  getStatus(params: T.SocialbotGetStatusParams = {}, options?: CallOptions): ApiPromise<T.SocialbotGetStatusAnswer> {
    return this._call<T.SocialbotGetStatusAnswer>(['socialbot.getStatus', 'GET', '/socialbot/status'], params, options);
  }

  /**
   * Confirm a link
   *
   * The account that has answered is the member’s own: it is linked, and rewarded once.
   *
   * Possible in `CONFIRMING`. The platform is rewarded as `POST /xsocial/claim` does by its name, once for ever; a platform that is none of the four pays nothing. An account that another member has linked, and a second account of a member, are `CONFLICT`. `social_link.linked` follows.
   */
  confirmLink(params: T.SocialbotConfirmLinkParams, options?: CallOptions): ApiPromise<T.SocialbotConfirmLinkAnswer> {
    return this._call<T.SocialbotConfirmLinkAnswer>(['socialbot.confirmLink', 'POST', '/socialbot/links/{link_id}/confirm'], params, options);
  }

  /**
   * Reject a link
   *
   * The account that has answered is not the member’s: nothing is linked.
   *
   * Possible in `CONFIRMING`. `social_link.rejected` follows.
   */
  rejectLink(params: T.SocialbotRejectLinkParams, options?: CallOptions): ApiPromise<T.SocialbotRejectLinkAnswer> {
    return this._call<T.SocialbotRejectLinkAnswer>(['socialbot.rejectLink', 'POST', '/socialbot/links/{link_id}/reject'], params, options);
  }
}

export class Events extends Resource {
  /**
   * Stream events
   *
   * Events as they come, as server-sent events: from now on, or after `Last-Event-ID`; ends after 15 minutes, to be asked for again.
   *
   * Users get what concerns them; admins and their keys get everything of their client. The stream ends after 15 minutes: connect again with `Last-Event-ID`, and nothing is missed.
   */
  stream(params: T.EventsStreamParams = {}, options?: StreamOptions): EventStream {
    return this._stream(['events.stream', 'GET', '/events/stream'], params, options);
  }

  /**
   * List events
   *
   * What has happened, newest first, or with `after` in its order: to a client for its admins and their keys, to oneself for users.
   *
   * Users see what concerns them; admins and their keys see everything of their client. A place that is older than the log is 410 `EVENTS_EXPIRED`.
   */
  list(params: T.EventsListParams = {}, options?: CallOptions): PagePromise<T.EventsListAnswer, T.Row<T.EventsListAnswer, 'data.events'>> {
    return this._page<T.EventsListAnswer, T.Row<T.EventsListAnswer, 'data.events'>>(['events.list', 'GET', '/events', {"page":{"parameter":"before","items":"data.events","next":"data.next_before"}}], params, options);
  }

  /**
   * Get event
   *
   * One event.
   */
  get(params: T.EventsGetParams, options?: CallOptions): ApiPromise<T.EventsGetAnswer> {
    return this._call<T.EventsGetAnswer>(['events.get', 'GET', '/events/{event_id}'], params, options);
  }

  /**
   * List event types
   *
   * Everything that may happen, with the schema of its data and an example.
   *
   * Any API key may call it. Webhook endpoints name these types; `test.ping` needs no name and is sent by `POST /webhook-endpoints/{endpoint_id}/test`.
   */
  listTypes(params: T.EventsListTypesParams = {}, options?: CallOptions): ApiPromise<T.EventsListTypesAnswer> {
    return this._call<T.EventsListTypesAnswer>(['events.listTypes', 'GET', '/event-types'], params, options);
  }

  /**
   * Resend event
   *
   * Sends an event once more: to one endpoint, or to all that are subscribed to it.
   */
  resend(params: T.EventsResendParams, options?: CallOptions): ApiPromise<T.EventsResendAnswer> {
    return this._call<T.EventsResendAnswer>(['events.resend', 'POST', '/events/{event_id}/resend'], params, options);
  }
}

export class WebhookEndpoints extends Resource {
  /**
   * Create webhook endpoint
   *
   * Makes an endpoint that what happens from now on is sent to, and tells its secret.
   *
   * An admin creates it for the own client, or a key of an admin. The answer shows the secret that signs what is sent. The endpoint gets the types that it names, from now on, at least once each. `webhook_endpoint.created` follows.
   */
  create(params: T.WebhookEndpointsCreateParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsCreateAnswer> {
    return this._call<T.WebhookEndpointsCreateAnswer>(['webhookEndpoints.create', 'POST', '/webhook-endpoints'], params, options);
  }

  /**
   * List webhook endpoints
   *
   * A client’s webhook endpoints; for the operator those of all.
   *
   * An admin sees those of the own client, or a key of an admin.
   *
   * **Admins need a role**: owner, developer, support.
   */
  list(params: T.WebhookEndpointsListParams = {}, options?: CallOptions): PagePromise<T.WebhookEndpointsListAnswer, T.Row<T.WebhookEndpointsListAnswer, 'data.endpoints'>> {
    return this._page<T.WebhookEndpointsListAnswer, T.Row<T.WebhookEndpointsListAnswer, 'data.endpoints'>>(['webhookEndpoints.list', 'GET', '/webhook-endpoints', {"page":{"parameter":"after","items":"data.endpoints","next":"data.next_after"}}], params, options);
  }

  /**
   * Get webhook endpoint
   *
   * One webhook endpoint, and how it is.
   */
  get(params: T.WebhookEndpointsGetParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsGetAnswer> {
    return this._call<T.WebhookEndpointsGetAnswer>(['webhookEndpoints.get', 'GET', '/webhook-endpoints/{endpoint_id}'], params, options);
  }

  /**
   * Update webhook endpoint
   *
   * Changes a webhook endpoint; what is not given stays.
   */
  update(params: T.WebhookEndpointsUpdateParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsUpdateAnswer> {
    return this._call<T.WebhookEndpointsUpdateAnswer>(['webhookEndpoints.update', 'PATCH', '/webhook-endpoints/{endpoint_id}'], params, options);
  }

  /**
   * Delete webhook endpoint
   *
   * Deletes a webhook endpoint with all that waits for it.
   */
  delete(params: T.WebhookEndpointsDeleteParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsDeleteAnswer> {
    return this._call<T.WebhookEndpointsDeleteAnswer>(['webhookEndpoints.delete', 'DELETE', '/webhook-endpoints/{endpoint_id}'], params, options);
  }

  /**
   * Rotate the secret of an endpoint
   *
   * Makes a new secret; the one before signs along for a day, or as long as is said.
   */
  rotateSecret(params: T.WebhookEndpointsRotateSecretParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsRotateSecretAnswer> {
    return this._call<T.WebhookEndpointsRotateSecretAnswer>(['webhookEndpoints.rotateSecret', 'POST', '/webhook-endpoints/{endpoint_id}/rotate-secret'], params, options);
  }

  /**
   * Reveal the secrets of an endpoint
   *
   * Tells an endpoint’s secrets again, to an admin who proves to be there.
   */
  revealSecret(params: T.WebhookEndpointsRevealSecretParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsRevealSecretAnswer> {
    return this._call<T.WebhookEndpointsRevealSecretAnswer>(['webhookEndpoints.revealSecret', 'POST', '/webhook-endpoints/{endpoint_id}/reveal-secret', {"secret":true}], params, options);
  }

  /**
   * List deliveries of an endpoint
   *
   * The events that were sent to an endpoint, newest first, and how it stands with each.
   */
  listDeliveries(params: T.WebhookEndpointsListDeliveriesParams, options?: CallOptions): PagePromise<T.WebhookEndpointsListDeliveriesAnswer, T.Row<T.WebhookEndpointsListDeliveriesAnswer, 'data.deliveries'>> {
    return this._page<T.WebhookEndpointsListDeliveriesAnswer, T.Row<T.WebhookEndpointsListDeliveriesAnswer, 'data.deliveries'>>(['webhookEndpoints.listDeliveries', 'GET', '/webhook-endpoints/{endpoint_id}/deliveries', {"page":{"parameter":"before","items":"data.deliveries","next":"data.next_before"}}], params, options);
  }

  /**
   * List attempts of an endpoint
   *
   * What was tried at an endpoint in the last 30 days, newest first.
   */
  listAttempts(params: T.WebhookEndpointsListAttemptsParams, options?: CallOptions): PagePromise<T.WebhookEndpointsListAttemptsAnswer, T.Row<T.WebhookEndpointsListAttemptsAnswer, 'data.attempts'>> {
    return this._page<T.WebhookEndpointsListAttemptsAnswer, T.Row<T.WebhookEndpointsListAttemptsAnswer, 'data.attempts'>>(['webhookEndpoints.listAttempts', 'GET', '/webhook-endpoints/{endpoint_id}/attempts', {"page":{"parameter":"before","items":"data.attempts","next":"data.next_before"}}], params, options);
  }

  /**
   * Get an attempt
   *
   * One try, with what was sent and how it was answered.
   */
  getAttempt(params: T.WebhookEndpointsGetAttemptParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsGetAttemptAnswer> {
    return this._call<T.WebhookEndpointsGetAttemptAnswer>(['webhookEndpoints.getAttempt', 'GET', '/webhook-endpoints/{endpoint_id}/attempts/{attempt_id}'], params, options);
  }

  /**
   * Test webhook endpoint
   *
   * Sends `test.ping` now, whatever the endpoint’s status, and answers what came back.
   */
  test(params: T.WebhookEndpointsTestParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsTestAnswer> {
    return this._call<T.WebhookEndpointsTestAnswer>(['webhookEndpoints.test', 'POST', '/webhook-endpoints/{endpoint_id}/test'], params, options);
  }

  /**
   * Pause webhook endpoint
   *
   * Sends nothing more to an endpoint, which keeps its place.
   */
  pause(params: T.WebhookEndpointsPauseParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsPauseAnswer> {
    return this._call<T.WebhookEndpointsPauseAnswer>(['webhookEndpoints.pause', 'POST', '/webhook-endpoints/{endpoint_id}/pause'], params, options);
  }

  /**
   * Resume webhook endpoint
   *
   * Goes on with an endpoint that was paused or disabled.
   */
  resume(params: T.WebhookEndpointsResumeParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsResumeAnswer> {
    return this._call<T.WebhookEndpointsResumeAnswer>(['webhookEndpoints.resume', 'POST', '/webhook-endpoints/{endpoint_id}/resume'], params, options);
  }

  /**
   * Replay events to an endpoint
   *
   * Sends what happened in a time once more, behind what happens now.
   */
  replay(params: T.WebhookEndpointsReplayParams, options?: CallOptions): ApiPromise<T.WebhookEndpointsReplayAnswer> {
    return this._call<T.WebhookEndpointsReplayAnswer>(['webhookEndpoints.replay', 'POST', '/webhook-endpoints/{endpoint_id}/replay'], params, options);
  }
}

export class Callbacks extends Resource {
  /**
   * Webhook of the identity provider
   *
   * Webhook of the identity provider; its signature proves the call.
   */
  receiveVerification(params: T.CallbacksReceiveVerificationParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveVerificationAnswer> {
    return this._call<T.CallbacksReceiveVerificationAnswer>(['callbacks.receiveVerification', 'POST', '/ekyc/idv/webhook'], params, options);
  }

  /**
   * Webhook of the partner
   *
   * Webhook of the partner; its signature proves the call.
   *
   * The partner calls it when a customer has changed there. How the customer stands is then looked up; `partner_customer.updated` follows where something differs.
   */
  receivePartner(params: T.CallbacksReceivePartnerParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceivePartnerAnswer> {
    return this._call<T.CallbacksReceivePartnerAnswer>(['callbacks.receivePartner', 'POST', '/pspb/webhook'], params, options);
  }

  /**
   * Webhook of the Telegram bot
   *
   * Webhook of the Telegram bot; its secret token proves the call.
   *
   * The answer is what the bot says, as a method of the Bot API. An update counts once by its `update_id`, and a repetition gets the same answer.
   */
  receiveTelegram(params: T.CallbacksReceiveTelegramParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveTelegramAnswer> {
    return this._call<T.CallbacksReceiveTelegramAnswer>(['callbacks.receiveTelegram', 'POST', '/socialbot/telegram/webhook'], params, options);
  }

  /**
   * Register the webhook of the WhatsApp bot
   *
   * Registration of the webhook of the WhatsApp bot: its verify token proves the call.
   *
   * Meta calls it when the webhook is entered in the app’s settings; the challenge comes back as it was sent.
   */
  registerBot(params: T.CallbacksRegisterBotParams = {}, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['callbacks.registerBot', 'GET', '/socialbot/whatsapp/webhook', {"answer":"text"}], params, options);
  }

  /**
   * Webhook of the WhatsApp bot
   *
   * Webhook of the WhatsApp bot; its signature proves the call.
   *
   * People’s messages and buttons, and what became of our own messages. A message counts once by its id.
   */
  receiveBot(params: T.CallbacksReceiveBotParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveBotAnswer> {
    return this._call<T.CallbacksReceiveBotAnswer>(['callbacks.receiveBot', 'POST', '/socialbot/whatsapp/webhook'], params, options);
  }

  /**
   * Webhook of the card network
   *
   * The card network reports that the status of a transaction has changed.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  receiveCard(params: T.CallbacksReceiveCardParams, options?: CallOptions): ApiPromise<T.CallbacksReceiveCardAnswer> {
    return this._call<T.CallbacksReceiveCardAnswer>(['callbacks.receiveCard', 'POST', '/card-checkout/card/callback'], params, options);
  }

  /**
   * Webhook of the bank link provider
   *
   * Webhook of the bank link provider; its signature proves the call.
   *
   * On 503 the outcome may be unknown: repeat the request with the same `Idempotency-Key` after `Retry-After`, and nothing happens twice.
   */
  receiveBank(params: T.CallbacksReceiveBankParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveBankAnswer> {
    return this._call<T.CallbacksReceiveBankAnswer>(['callbacks.receiveBank', 'POST', '/banklink/webhook'], params, options);
  }

  /**
   * Webhook of the gateway: payments
   *
   * The gateway tells of a payment; without its token it is only a hint.
   *
   * The gateway calls it. In mock mode its word counts; out of it the platform looks the payment up at the gateway, whatever the call says.
   */
  receivePayment(params: T.CallbacksReceivePaymentParams, options?: CallOptions): ApiPromise<T.CallbacksReceivePaymentAnswer> {
    return this._call<T.CallbacksReceivePaymentAnswer>(['callbacks.receivePayment', 'POST', '/idrtoken/callback/payment', {"raw":true}], params, options);
  }

  /**
   * Webhook of the gateway: transfers
   *
   * The gateway tells of a bank transfer; without its token it is only a hint.
   *
   * The gateway calls it. In mock mode its word counts; out of it the platform looks the transfer up at the gateway, whatever the call says.
   */
  receiveTransfer(params: T.CallbacksReceiveTransferParams, options?: CallOptions): ApiPromise<T.CallbacksReceiveTransferAnswer> {
    return this._call<T.CallbacksReceiveTransferAnswer>(['callbacks.receiveTransfer', 'POST', '/idrtoken/callback/transfer', {"raw":true}], params, options);
  }

  /**
   * The processor asks whether a card pays
   *
   * Just-in-time funding: the processor asks whether a card pays, and waits for the answer.
   *
   * Basic credentials, and an HMAC of the body where one is set up. A yes is 200 and has its hold, a no is 402. The same question gets the same answer.
   */
  decideCard(params: T.CallbacksDecideCardParams = {}, options?: CallOptions): ApiPromise<T.CallbacksDecideCardAnswer> {
    return this._call<T.CallbacksDecideCardAnswer>(['callbacks.decideCard', 'POST', '/cards/processor/authorizations'], params, options);
  }

  /**
   * Webhook of the processor of cards
   *
   * Notifications of the processor of cards; its credentials prove the call.
   *
   * A notification is a hint: the processor is asked for the transaction, which counts as it is there.
   */
  receiveCardNews(params: T.CallbacksReceiveCardNewsParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveCardNewsAnswer> {
    return this._call<T.CallbacksReceiveCardNewsAnswer>(['callbacks.receiveCardNews', 'POST', '/cards/processor/events'], params, options);
  }

  /**
   * Webhook of the gateway: invoices
   *
   * The gateway tells of a payment of an invoice; its token proves the call.
   *
   * The token of the gateway (`x-callback-token`) proves the call; its news is a hint, and the gateway is asked before anything is booked.
   */
  receiveInvoicePayment(params: T.CallbacksReceiveInvoicePaymentParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveInvoicePaymentAnswer> {
    return this._call<T.CallbacksReceiveInvoicePaymentAnswer>(['callbacks.receiveInvoicePayment', 'POST', '/payment-gateway/callback'], params, options);
  }

  /**
   * Register the WhatsApp webhook
   *
   * Registration of the WhatsApp webhook: its verify token proves the call.
   *
   * Meta calls it when the webhook is entered in the app’s settings; the challenge comes back as it was sent.
   */
  registerWhatsApp(params: T.CallbacksRegisterWhatsAppParams, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['callbacks.registerWhatsApp', 'GET', '/whatsapp/webhook', {"answer":"text"}], params, options);
  }

  /**
   * Webhook of WhatsApp
   *
   * Webhook of WhatsApp; its signature proves the call.
   *
   * Meta reports here what became of messages. One that could not be delivered is failed; one whose answer got lost is not sent again.
   */
  receiveWhatsApp(params: T.CallbacksReceiveWhatsAppParams = {}, options?: CallOptions): ApiPromise<T.CallbacksReceiveWhatsAppAnswer> {
    return this._call<T.CallbacksReceiveWhatsAppAnswer>(['callbacks.receiveWhatsApp', 'POST', '/whatsapp/webhook'], params, options);
  }

  /**
   * Webhook of Twilio
   *
   * Webhook of Twilio: what became of an SMS; its signature proves the call.
   *
   * Twilio reports here what became of an SMS, at an address that names it: one that could not be delivered is failed, one whose answer got lost is not sent again.
   */
  receiveSms(params: T.CallbacksReceiveSmsParams, options?: CallOptions): ApiPromise<T.CallbacksReceiveSmsAnswer> {
    return this._call<T.CallbacksReceiveSmsAnswer>(['callbacks.receiveSms', 'POST', '/sms/webhook', {"query":["message"]}], params, options);
  }
}

export class RequestLogs extends Resource {
  /**
   * List request logs
   *
   * Lists requests of the last seven days.
   *
   * Users see their own requests, admins those of their client. A request appears within a second. Under overload lines are left out; `archipay_request_logs_dropped` counts them.
   */
  list(params: T.RequestLogsListParams = {}, options?: CallOptions): PagePromise<T.RequestLogsListAnswer, T.Row<T.RequestLogsListAnswer, 'data.items'>> {
    return this._page<T.RequestLogsListAnswer, T.Row<T.RequestLogsListAnswer, 'data.items'>>(['requestLogs.list', 'GET', '/request-logs', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get request log
   *
   * Shows one request of the last seven days.
   *
   * The id is the one of the answer’s `x-request-id`, also where the caller chose it. Of several requests with one id it is the last.
   */
  get(params: T.RequestLogsGetParams, options?: CallOptions): ApiPromise<T.RequestLogsGetAnswer> {
    return this._call<T.RequestLogsGetAnswer>(['requestLogs.get', 'GET', '/request-logs/{request_id}'], params, options);
  }
}

export class Oauth extends Resource {
  /**
   * Register an app
   *
   * A program makes itself known, before it asks people to let it in (RFC 7591).
   *
   * Programs do it by themselves. There is no secret: each consent is proven by PKCE. An app that is let in by none is forgotten after a month.
   */
  register(params: T.OauthRegisterParams, options?: CallOptions): ApiPromise<T.OauthRegisterAnswer> {
    return this._call<T.OauthRegisterAnswer>(['oauth.register', 'POST', '/oauth/register'], params, options);
  }

  /**
   * Allow or deny an app
   *
   * What the form of the consent page sends: who lets which app in, for what.
   *
   * People come to the page `/oauth/authorize` with the same fields in its address. They log in there, see what the app asks for and may leave parts of it out; then the page leads back to the app with `code`, `state` and `iss`.
   */
  authorize(params: T.OauthAuthorizeParams = {}, options?: CallOptions): ApiPromise<string> {
    return this._call<string>(['oauth.authorize', 'POST', '/oauth/authorize', {"query":["lang"],"answer":"text","secret":true}], params, options);
  }

  /**
   * Get tokens
   *
   * Tokens for the code of a consent, or for a refresh token.
   *
   * A code counts once, for a minute; an access token for an hour, at the MCP server only; a refresh token once, and all of them for 90 days from the consent. A code or refresh token that comes again ends the access, except within half a minute, since an answer may have been lost.
   */
  token(params: T.OauthTokenParams, options?: CallOptions): ApiPromise<T.OauthTokenAnswer> {
    return this._call<T.OauthTokenAnswer>(['oauth.token', 'POST', '/oauth/token', {"secret":true}], params, options);
  }

  /**
   * Give up access
   *
   * A program gives up its access, by any token of it (RFC 7009).
   *
   * All tokens of that consent end. A token that is unknown is answered the same.
   */
  revoke(params: T.OauthRevokeParams, options?: CallOptions): ApiPromise<T.OauthRevokeAnswer> {
    return this._call<T.OauthRevokeAnswer>(['oauth.revoke', 'POST', '/oauth/revoke', {"secret":true}], params, options);
  }

  /**
   * List connected apps
   *
   * The caller's connected apps, newest first, at most 100.
   *
   * A person sees what they have allowed and not ended. The log-ins and keys behind it are among `GET /sessions` and the keys, and end it too.
   */
  listGrants(params: T.OauthListGrantsParams = {}, options?: CallOptions): ApiPromise<T.OauthListGrantsAnswer> {
    return this._call<T.OauthListGrantsAnswer>(['oauth.listGrants', 'GET', '/oauth/grants'], params, options);
  }

  /**
   * End a connected app
   *
   * Ends the access of a connected app; its tokens are refused at once.
   *
   * A person ends it at any time. `session.revoked` and `api_key.deleted` follow.
   */
  endGrant(params: T.OauthEndGrantParams, options?: CallOptions): ApiPromise<T.OauthEndGrantAnswer> {
    return this._call<T.OauthEndGrantAnswer>(['oauth.endGrant', 'DELETE', '/oauth/grants/{grant_id}'], params, options);
  }
}

export class Policies extends Resource {
  /**
   * Simulate policy
   *
   * Says what the policies would make of an operation, without doing it.
   *
   * Limits are compared with what has been used of them; nothing is counted. `unmet` is the first part of an expression that does not hold.
   */
  simulate(params: T.PoliciesSimulateParams, options?: CallOptions): ApiPromise<T.PoliciesSimulateAnswer> {
    return this._call<T.PoliciesSimulateAnswer>(['policies.simulate', 'POST', '/policies/simulate'], params, options);
  }

  /**
   * Backtest policy
   *
   * Begins to try a policy on the recorded decisions of so many days.
   *
   * A job computes the policy again from what was observed of each recorded decision, beside what the other policies asked for then. A published policy gives what was decided; a draft shows what it would change. One of a policy at a time.
   */
  backtest(params: T.PoliciesBacktestParams, options?: CallOptions): ApiPromise<T.PoliciesBacktestAnswer> {
    return this._call<T.PoliciesBacktestAnswer>(['policies.backtest', 'POST', '/policies/{policy_id}/backtest'], params, options);
  }

  /**
   * Get backtest
   *
   * Shows a back-test, and what it has found.
   */
  getBacktest(params: T.PoliciesGetBacktestParams, options?: CallOptions): ApiPromise<T.PoliciesGetBacktestAnswer> {
    return this._call<T.PoliciesGetBacktestAnswer>(['policies.getBacktest', 'GET', '/policies/backtests/{backtest_id}'], params, options);
  }

  /**
   * List policies
   *
   * Lists policies, newest first.
   *
   * Admins see the policies of their client, the operator all of them.
   */
  list(params: T.PoliciesListParams = {}, options?: CallOptions): PagePromise<T.PoliciesListAnswer, T.Row<T.PoliciesListAnswer, 'data.items'>> {
    return this._page<T.PoliciesListAnswer, T.Row<T.PoliciesListAnswer, 'data.items'>>(['policies.list', 'GET', '/policies', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Create policy
   *
   * Writes a policy as a draft, which decides nothing before it is published.
   *
   * An expression sees `op`, `kind`, `amount_minor`, `usd_cents`, `currency`, `user`, `wallet`, `recipient`, `key`, `time`, `sums` and `metadata`. A policy that every operation of a kind would meet is refused: it would lock everybody out.
   */
  create(params: T.PoliciesCreateParams, options?: CallOptions): ApiPromise<T.PoliciesCreateAnswer> {
    return this._call<T.PoliciesCreateAnswer>(['policies.create', 'POST', '/policies'], params, options);
  }

  /**
   * Get policy
   *
   * Shows a policy.
   */
  get(params: T.PoliciesGetParams, options?: CallOptions): ApiPromise<T.PoliciesGetAnswer> {
    return this._call<T.PoliciesGetAnswer>(['policies.get', 'GET', '/policies/{policy_id}'], params, options);
  }

  /**
   * Update policy
   *
   * Changes a draft.
   */
  update(params: T.PoliciesUpdateParams, options?: CallOptions): ApiPromise<T.PoliciesUpdateAnswer> {
    return this._call<T.PoliciesUpdateAnswer>(['policies.update', 'PATCH', '/policies/{policy_id}'], params, options);
  }

  /**
   * Delete policy
   *
   * Deletes a draft.
   */
  delete(params: T.PoliciesDeleteParams, options?: CallOptions): ApiPromise<T.PoliciesDeleteAnswer> {
    return this._call<T.PoliciesDeleteAnswer>(['policies.delete', 'DELETE', '/policies/{policy_id}'], params, options);
  }

  /**
   * Set metadata
   *
   * Changes the metadata of a policy, at any time.
   */
  setMetadata(params: T.PoliciesSetMetadataParams, options?: CallOptions): ApiPromise<T.PoliciesSetMetadataAnswer> {
    return this._call<T.PoliciesSetMetadataAnswer>(['policies.setMetadata', 'PATCH', '/policies/{policy_id}/metadata'], params, options);
  }

  /**
   * Publish policy
   *
   * Publishes a draft that another admin has edited last.
   *
   * Where a client has one active admin, that one’s word takes effect after 24 hours and is mailed. An edit takes it back.
   */
  publish(params: T.PoliciesPublishParams, options?: CallOptions): ApiPromise<T.PoliciesPublishAnswer> {
    return this._call<T.PoliciesPublishAnswer>(['policies.publish', 'POST', '/policies/{policy_id}/publish'], params, options);
  }

  /**
   * Retire policy
   *
   * Ends a published policy, by another admin than its last editor.
   *
   * The same rule of two people holds as for publishing.
   */
  retire(params: T.PoliciesRetireParams, options?: CallOptions): ApiPromise<T.PoliciesRetireAnswer> {
    return this._call<T.PoliciesRetireAnswer>(['policies.retire', 'POST', '/policies/{policy_id}/retire'], params, options);
  }
}

export class StepUp extends Resource {
  /**
   * Prove step up
   *
   * Proves that it is you, for one operation that a policy asks a proof for.
   *
   * The challenge stands for the operation, its amount, its currency and its recipient. Repeat the call with `x-step-up: <challenge_id>` before `proven_until`: it counts once. A user with a second factor proves it by a code, another one by the password.
   */
  prove(params: T.StepUpProveParams, options?: CallOptions): ApiPromise<T.StepUpProveAnswer> {
    return this._call<T.StepUpProveAnswer>(['stepUp.prove', 'POST', '/step-up', {"secret":true}], params, options);
  }
}

export class Approvals extends Resource {
  /**
   * List approvals
   *
   * Lists what waits for other people, and what they decided, newest first.
   *
   * Admins see what their client’s users made, the operator all of it.
   */
  list(params: T.ApprovalsListParams = {}, options?: CallOptions): PagePromise<T.ApprovalsListAnswer, T.Row<T.ApprovalsListAnswer, 'data.items'>> {
    return this._page<T.ApprovalsListAnswer, T.Row<T.ApprovalsListAnswer, 'data.items'>>(['approvals.list', 'GET', '/approvals', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get approval
   *
   * Shows what waits for other people.
   */
  get(params: T.ApprovalsGetParams, options?: CallOptions): ApiPromise<T.ApprovalsGetAnswer> {
    return this._call<T.ApprovalsGetAnswer>(['approvals.get', 'GET', '/approvals/{approval_id}'], params, options);
  }

  /**
   * Approve approval
   *
   * Approves it; with the last approval that is needed it goes on.
   *
   * By an admin who did not make it, does not own what receives the money, and whose account is older than the request. Each counts once.
   */
  approve(params: T.ApprovalsApproveParams, options?: CallOptions): ApiPromise<T.ApprovalsApproveAnswer> {
    return this._call<T.ApprovalsApproveAnswer>(['approvals.approve', 'POST', '/approvals/{approval_id}/approve'], params, options);
  }

  /**
   * Reject approval
   *
   * Rejects it, which cancels it.
   *
   * One rejection is enough, by the same people who may approve.
   */
  reject(params: T.ApprovalsRejectParams, options?: CallOptions): ApiPromise<T.ApprovalsRejectAnswer> {
    return this._call<T.ApprovalsRejectAnswer>(['approvals.reject', 'POST', '/approvals/{approval_id}/reject'], params, options);
  }
}

export class Mcp extends Resource {
  /**
   * Call the MCP server
   *
   * A Model Context Protocol server: a model's tools, by key and token or by OAuth.
   *
   * A model’s program calls it with the key and the token of the user, or with an access token of OAuth alone: a refusal names in `WWW-Authenticate` where a program gets one, and only what the person has allowed is offered. The tools do what the endpoints do, with the same limits, and ask the person before money moves.
   */
  call(params: T.McpCallParams, options?: CallOptions): ApiPromise<T.McpCallAnswer> {
    return this._call<T.McpCallAnswer>(['mcp.call', 'POST', '/mcp-server'], params, options);
  }
}

export class Files extends Resource {
  /**
   * Send file
   *
   * Keeps a file: the body is its bytes.
   *
   * The body is the file itself, with its `content-type`: up to 10 MiB, a batch up to 16 MiB, a logo (png, jpeg or webp) up to 512 KiB. Its first bytes have to be of that type, else 415. The same bytes for the same purpose again are 200 with the first file; an `Idempotency-Key` is not looked at. 200 files a day and user. A file that nothing names goes 30 days after it was last sent.
   */
  send(params: T.FilesSendParams, options?: CallOptions): ApiPromise<T.FilesSendAnswer> {
    return this._call<T.FilesSendAnswer>(['files.send', 'POST', '/files', {"query":["purpose","name"],"raw":true}], params, options);
  }

  /**
   * List files
   *
   * Lists files, newest first.
   *
   * Users see their own files, admins those of their client.
   */
  list(params: T.FilesListParams = {}, options?: CallOptions): PagePromise<T.FilesListAnswer, T.Row<T.FilesListAnswer, 'data.items'>> {
    return this._page<T.FilesListAnswer, T.Row<T.FilesListAnswer, 'data.items'>>(['files.list', 'GET', '/files', {"page":{"parameter":"cursor","items":"data.items","next":"data.next_cursor"}}], params, options);
  }

  /**
   * Get file
   *
   * Shows what is known of a file.
   */
  get(params: T.FilesGetParams, options?: CallOptions): ApiPromise<T.FilesGetAnswer> {
    return this._call<T.FilesGetAnswer>(['files.get', 'GET', '/files/{id}'], params, options);
  }

  /**
   * Delete file
   *
   * Deletes a file for good, where nothing names it.
   *
   * Only its owner deletes it; 409 `FILE_IN_USE` while something names it.
   */
  delete(params: T.FilesDeleteParams, options?: CallOptions): ApiPromise<T.FilesDeleteAnswer> {
    return this._call<T.FilesDeleteAnswer>(['files.delete', 'DELETE', '/files/{id}'], params, options);
  }

  /**
   * Read file
   *
   * Sends the bytes of a file, as an attachment.
   *
   * It is sent as an attachment with `nosniff`, so that no browser shows it.
   */
  read(params: T.FilesReadParams, options?: CallOptions): ApiPromise<Uint8Array> {
    return this._call<Uint8Array>(['files.read', 'GET', '/files/{id}/content', {"answer":"bytes"}], params, options);
  }
}

export class Console extends Resource {
  /**
   * Sign in to the console
   *
   * Logs an admin in to the console; the log-in is a cookie.
   */
  signIn(params: T.ConsoleSignInParams, options?: CallOptions): ApiPromise<T.ConsoleSignInAnswer> {
    return this._call<T.ConsoleSignInAnswer>(['console.signIn', 'POST', '/console/session', {"secret":true}], params, options);
  }

  /**
   * Sign out of the console
   *
   * Ends the log-in to the console, and removes its cookie.
   */
  signOut(params: T.ConsoleSignOutParams = {}, options?: CallOptions): ApiPromise<T.ConsoleSignOutAnswer> {
    return this._call<T.ConsoleSignOutAnswer>(['console.signOut', 'DELETE', '/console/session'], params, options);
  }

  /**
   * Complete the console log-in
   *
   * Completes a log-in to the console with a code of the second factor.
   */
  completeSignIn(params: T.ConsoleCompleteSignInParams, options?: CallOptions): ApiPromise<T.ConsoleCompleteSignInAnswer> {
    return this._call<T.ConsoleCompleteSignInAnswer>(['console.completeSignIn', 'POST', '/console/session/complete', {"secret":true}], params, options);
  }

  /**
   * Prove who is at the console
   *
   * Proves by password or code that the session’s owner is at the console, for dangerous actions.
   */
  prove(params: T.ConsoleProveParams = {}, options?: CallOptions): ApiPromise<T.ConsoleProveAnswer> {
    return this._call<T.ConsoleProveAnswer>(['console.prove', 'POST', '/console/session/prove', {"secret":true}], params, options);
  }

  /**
   * Get the console session
   *
   * The session’s owner, its end, and its latest proof.
   */
  me(params: T.ConsoleMeParams = {}, options?: CallOptions): ApiPromise<T.ConsoleMeAnswer> {
    return this._call<T.ConsoleMeAnswer>(['console.me', 'GET', '/console/me'], params, options);
  }

  /**
   * Get names of people
   *
   * Names of people by their numbers; of the reader’s own client, for the operator of all.
   */
  people(params: T.ConsolePeopleParams, options?: CallOptions): ApiPromise<T.ConsolePeopleAnswer> {
    return this._call<T.ConsolePeopleAnswer>(['console.people', 'GET', '/console/people'], params, options);
  }
}

export class Desk extends Resource {
  /**
   * List ordered changes of accounts
   *
   * Changes of accounts that operators have ordered and that are still to take effect, newest first; next page before `next_before`.
   *
   * Only an admin of the operator may call it. `DELETE /users/{user_id}/pending-changes/{change_id}` stops one of them.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  orders(params: T.DeskOrdersParams = {}, options?: CallOptions): PagePromise<T.DeskOrdersAnswer, T.Row<T.DeskOrdersAnswer, 'data.orders'>> {
    return this._page<T.DeskOrdersAnswer, T.Row<T.DeskOrdersAnswer, 'data.orders'>>(['desk.orders', 'GET', '/desk/orders', {"page":{"parameter":"before","items":"data.orders","next":"data.pagination.next_before"}}], params, options);
  }

  /**
   * Get open work
   *
   * Work that is in flight, in doubt or given up, and work that needs a person.
   *
   * Only an admin of the operator may call it. `needs_person` marks work that does not go on by itself; `POST /desk/work/try-again` retries it now.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  work(params: T.DeskWorkParams = {}, options?: CallOptions): ApiPromise<T.DeskWorkAnswer> {
    return this._call<T.DeskWorkAnswer>(['desk.work', 'GET', '/desk/work'], params, options);
  }

  /**
   * Get a timeline
   *
   * The timeline of an object, from the request to the ledger: events, calls to providers, postings, transactions.
   *
   * Only an admin of the operator may call it. It takes any name of a payment (ours, its caller’s, a provider’s, a hash) and the id or reference of whatever else there is.
   */
  timeline(params: T.DeskTimelineParams, options?: CallOptions): ApiPromise<T.DeskTimelineAnswer> {
    return this._call<T.DeskTimelineAnswer>(['desk.timeline', 'GET', '/desk/timeline'], params, options);
  }

  /**
   * Try open work again
   *
   * Has an open call, a flow or something inbound looked at again now, also where it has stalled.
   */
  tryAgain<O extends CallOptions>(params: T.DeskTryAgainParams, options?: O): Reply<T.DeskTryAgainAnswer, O> {
    return this._reply<T.DeskTryAgainAnswer, O>(['desk.tryAgain', 'POST', '/desk/work/try-again', {"money":true}], params, options);
  }

  /**
   * Redrive a dead letter
   *
   * Gives work that was given up another full round of attempts.
   */
  redrive<O extends CallOptions>(params: T.DeskRedriveParams, options?: O): Reply<T.DeskRedriveAnswer, O> {
    return this._reply<T.DeskRedriveAnswer, O>(['desk.redrive', 'POST', '/desk/dead-letters/{id}/redrive', {"money":true}], params, options);
  }
}

export class Adjustments extends Resource {
  /**
   * Propose adjustment
   *
   * Proposes a correction of the ledger, which another admin has to approve within a week.
   *
   * An admin of the operator proposes it and another one approves it by `POST /adjustments/{adjustment_id}/approve`; nothing is booked before. A proposal without an approval expires after a week. `adjustment.proposed` follows.
   */
  propose<O extends CallOptions>(params: T.AdjustmentsProposeParams, options?: O): Reply<T.AdjustmentsProposeAnswer, O> {
    return this._reply<T.AdjustmentsProposeAnswer, O>(['adjustments.propose', 'POST', '/adjustments', {"money":true}], params, options);
  }

  /**
   * List adjustments
   *
   * Corrections of the ledger and how they stand, newest first; next page before `next_before`.
   *
   * Only admins of the operator see them.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  list(params: T.AdjustmentsListParams = {}, options?: CallOptions): PagePromise<T.AdjustmentsListAnswer, T.Row<T.AdjustmentsListAnswer, 'data.adjustments'>> {
    return this._page<T.AdjustmentsListAnswer, T.Row<T.AdjustmentsListAnswer, 'data.adjustments'>>(['adjustments.list', 'GET', '/adjustments', {"page":{"parameter":"before","items":"data.adjustments","next":"data.pagination.next_before"}}], params, options);
  }

  /**
   * Get adjustment
   *
   * A correction of the ledger with its postings and its people.
   */
  get(params: T.AdjustmentsGetParams, options?: CallOptions): ApiPromise<T.AdjustmentsGetAnswer> {
    return this._call<T.AdjustmentsGetAnswer>(['adjustments.get', 'GET', '/adjustments/{adjustment_id}'], params, options);
  }

  /**
   * Approve adjustment
   *
   * Books a correction that another admin has proposed, once.
   */
  approve<O extends CallOptions>(params: T.AdjustmentsApproveParams, options?: O): Reply<T.AdjustmentsApproveAnswer, O> {
    return this._reply<T.AdjustmentsApproveAnswer, O>(['adjustments.approve', 'POST', '/adjustments/{adjustment_id}/approve', {"money":true}], params, options);
  }

  /**
   * Reject adjustment
   *
   * Rejects a correction that another admin has proposed, with a reason.
   */
  reject(params: T.AdjustmentsRejectParams, options?: CallOptions): ApiPromise<T.AdjustmentsRejectAnswer> {
    return this._call<T.AdjustmentsRejectAnswer>(['adjustments.reject', 'POST', '/adjustments/{adjustment_id}/reject'], params, options);
  }

  /**
   * Withdraw adjustment
   *
   * Withdraws a correction of one’s own.
   */
  withdraw(params: T.AdjustmentsWithdrawParams, options?: CallOptions): ApiPromise<T.AdjustmentsWithdrawAnswer> {
    return this._call<T.AdjustmentsWithdrawAnswer>(['adjustments.withdraw', 'POST', '/adjustments/{adjustment_id}/withdraw'], params, options);
  }
}

export class Reconciliation extends Resource {
  /**
   * List differences
   *
   * Where our books and a provider's or chain's differ, newest first; next page before `next_before`.
   *
   * An admin sees those of the own client’s transactions, the operator all. A break resolves itself once the other side catches up; `POST /reconciliation/breaks/{break_id}/explain` is for the others.
   *
   * **Admins need a role**: owner, developer, finance, support, viewer.
   */
  listBreaks(params: T.ReconciliationListBreaksParams = {}, options?: CallOptions): PagePromise<T.ReconciliationListBreaksAnswer, T.Row<T.ReconciliationListBreaksAnswer, 'data.breaks'>> {
    return this._page<T.ReconciliationListBreaksAnswer, T.Row<T.ReconciliationListBreaksAnswer, 'data.breaks'>>(['reconciliation.listBreaks', 'GET', '/reconciliation/breaks', {"page":{"parameter":"before","items":"data.breaks","next":"data.next_before"}}], params, options);
  }

  /**
   * Explain a difference
   *
   * The operator explains a difference; it stays, and is no longer open.
   */
  explainBreak(params: T.ReconciliationExplainBreakParams, options?: CallOptions): ApiPromise<T.ReconciliationExplainBreakAnswer> {
    return this._call<T.ReconciliationExplainBreakAnswer>(['reconciliation.explainBreak', 'POST', '/reconciliation/breaks/{break_id}/explain'], params, options);
  }
}

/** Every operation, by resource. */
export class Resources extends Caller {
  readonly keys: Keys = new Keys(this);
  readonly clients: Clients = new Clients(this);
  readonly auth: Auth = new Auth(this);
  readonly users: Users = new Users(this);
  readonly admins: Admins = new Admins(this);
  readonly instances: Instances = new Instances(this);
  readonly sessions: Sessions = new Sessions(this);
  readonly password: Password = new Password(this);
  readonly twoFactor: TwoFactor = new TwoFactor(this);
  readonly mobile: Mobile = new Mobile(this);
  readonly passkeys: Passkeys = new Passkeys(this);
  readonly profile: Profile = new Profile(this);
  readonly externalLogin: ExternalLogin = new ExternalLogin(this);
  readonly team: Team = new Team(this);
  readonly verification: Verification = new Verification(this);
  readonly partnerCustomers: PartnerCustomers = new PartnerCustomers(this);
  readonly payments: Payments = new Payments(this);
  readonly fiatWallets: FiatWallets = new FiatWallets(this);
  readonly bankLink: BankLink = new BankLink(this);
  readonly fx: Fx = new Fx(this);
  readonly fees: Fees = new Fees(this);
  readonly recipients: Recipients = new Recipients(this);
  readonly withdrawals: Withdrawals = new Withdrawals(this);
  readonly batches: Batches = new Batches(this);
  readonly walletTransfers: WalletTransfers = new WalletTransfers(this);
  readonly paymentRequests: PaymentRequests = new PaymentRequests(this);
  readonly walletHolds: WalletHolds = new WalletHolds(this);
  readonly balanceMonitors: BalanceMonitors = new BalanceMonitors(this);
  readonly invoices: Invoices = new Invoices(this);
  readonly invoicePayments: InvoicePayments = new InvoicePayments(this);
  readonly unmatchedPayments: UnmatchedPayments = new UnmatchedPayments(this);
  readonly paymentLinks: PaymentLinks = new PaymentLinks(this);
  readonly gatewaySettings: GatewaySettings = new GatewaySettings(this);
  readonly checkout: Checkout = new Checkout(this);
  readonly invoiceRefunds: InvoiceRefunds = new InvoiceRefunds(this);
  readonly cards: Cards = new Cards(this);
  readonly issuedCards: IssuedCards = new IssuedCards(this);
  readonly decisionWebhook: DecisionWebhook = new DecisionWebhook(this);
  readonly cardTransactions: CardTransactions = new CardTransactions(this);
  readonly cardDecisions: CardDecisions = new CardDecisions(this);
  readonly cardDisputes: CardDisputes = new CardDisputes(this);
  readonly cryptoWallets: CryptoWallets = new CryptoWallets(this);
  readonly tokens: Tokens = new Tokens(this);
  readonly onchain: Onchain = new Onchain(this);
  readonly crosschain: Crosschain = new Crosschain(this);
  readonly walletProofs: WalletProofs = new WalletProofs(this);
  readonly networks: Networks = new Networks(this);
  readonly testnet: Testnet = new Testnet(this);
  readonly feeSettings: FeeSettings = new FeeSettings(this);
  readonly bridge: Bridge = new Bridge(this);
  readonly agent: Agent = new Agent(this);
  readonly idrTokens: IdrTokens = new IdrTokens(this);
  readonly exchangeWallets: ExchangeWallets = new ExchangeWallets(this);
  readonly conversions: Conversions = new Conversions(this);
  readonly cardano: Cardano = new Cardano(this);
  readonly xrpl: Xrpl = new Xrpl(this);
  readonly purchases: Purchases = new Purchases(this);
  readonly marketplace: Marketplace = new Marketplace(this);
  readonly rewards: Rewards = new Rewards(this);
  readonly socialbot: Socialbot = new Socialbot(this);
  readonly events: Events = new Events(this);
  readonly webhookEndpoints: WebhookEndpoints = new WebhookEndpoints(this);
  readonly callbacks: Callbacks = new Callbacks(this);
  readonly requestLogs: RequestLogs = new RequestLogs(this);
  readonly oauth: Oauth = new Oauth(this);
  readonly policies: Policies = new Policies(this);
  readonly stepUp: StepUp = new StepUp(this);
  readonly approvals: Approvals = new Approvals(this);
  readonly mcp: Mcp = new Mcp(this);
  readonly files: Files = new Files(this);
  readonly console: Console = new Console(this);
  readonly desk: Desk = new Desk(this);
  readonly adjustments: Adjustments = new Adjustments(this);
  readonly reconciliation: Reconciliation = new Reconciliation(this);
}
