// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PlatformToken} from "./PlatformToken.sol";

/// USDC of the test networks: six decimals, as the original.
contract TestUSDC is PlatformToken {
    constructor(address admin) PlatformToken("USD Coin", "USDC", 6, admin) {}
}
