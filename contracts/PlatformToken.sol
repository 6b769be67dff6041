// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// What both platform tokens share: supply changes only through two roles.
/// The constructors take the admin, because a deployment through a CREATE2 factory has the factory
/// as its sender.
abstract contract PlatformToken is ERC20, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant BURNER_ROLE = keccak256("BURNER_ROLE");

    uint8 private immutable _scale;

    constructor(string memory name_, string memory symbol_, uint8 scale_, address admin) ERC20(name_, symbol_) {
        _scale = scale_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function decimals() public view override returns (uint8) {
        return _scale;
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    /// Takes tokens without an allowance, so the role belongs only to contracts that burn what their
    /// own caller holds, and to the operator who reverses a mint.
    function burnFrom(address from, uint256 amount) external onlyRole(BURNER_ROLE) {
        _burn(from, amount);
    }
}
