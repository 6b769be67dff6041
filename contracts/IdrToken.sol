// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PlatformToken} from "./PlatformToken.sol";

/// The rupiah token: two decimals. Holders burn their own to redeem it for a bank transfer.
contract IdrToken is PlatformToken {
    constructor(address admin) PlatformToken("Rupiah Token", "IDRT", 2, admin) {}

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
