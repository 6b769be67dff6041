// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {PlatformToken} from "./PlatformToken.sol";

/// Moves a token between chains: burnt here by its holder, minted there by the relayer.
contract BurnMintBridge is AccessControl, Pausable {
    bytes32 public constant RELAYER_ROLE = keccak256("RELAYER_ROLE");

    PlatformToken public immutable token;

    /// Kept per sender: a stranger who copies a nonce from the mempool cannot block its owner's burn.
    mapping(address sender => mapping(bytes32 nonce => bool)) public burned;
    mapping(bytes32 nonce => bool) public minted;

    event Burned(
        bytes32 indexed nonce, address indexed from, uint256 indexed toChainId, address recipient, uint256 amount
    );
    event Minted(
        bytes32 indexed nonce, address indexed recipient, uint256 indexed fromChainId, uint256 amount, bytes32 burnTx
    );

    error NonceUsed(bytes32 nonce);
    error ZeroAmount();
    error ZeroRecipient();
    error SameChain();

    constructor(PlatformToken token_, address admin, address relayer) {
        token = token_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(RELAYER_ROLE, relayer);
    }

    function burn(bytes32 nonce, uint256 amount, uint256 toChainId, address recipient) external whenNotPaused {
        if (amount == 0) revert ZeroAmount();
        if (recipient == address(0)) revert ZeroRecipient();
        if (toChainId == block.chainid) revert SameChain();
        if (burned[msg.sender][nonce]) revert NonceUsed(nonce);
        burned[msg.sender][nonce] = true;
        emit Burned(nonce, msg.sender, toChainId, recipient, amount);
        token.burnFrom(msg.sender, amount);
    }

    function mint(bytes32 nonce, uint256 amount, uint256 fromChainId, address recipient, bytes32 burnTx)
        external
        onlyRole(RELAYER_ROLE)
        whenNotPaused
    {
        if (amount == 0) revert ZeroAmount();
        if (fromChainId == block.chainid) revert SameChain();
        if (minted[nonce]) revert NonceUsed(nonce);
        minted[nonce] = true;
        emit Minted(nonce, recipient, fromChainId, amount, burnTx);
        token.mint(recipient, amount);
    }

    function pause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }
}
