// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

/// A public record of purchases made for buyers: one entry per order, written by the operator.
contract CommerceLedger is AccessControl {
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    struct Purchase {
        address buyer;
        uint256 amount;
        bytes32 paymentTx;
        bytes32 metaHash;
    }

    mapping(bytes32 orderKey => Purchase) public purchases;

    event PurchaseRecorded(
        bytes32 indexed orderKey,
        address indexed buyer,
        uint256 amount,
        bytes32 paymentTx,
        bytes32 metaHash,
        string orderId
    );

    error AlreadyRecorded(string orderId);
    error ZeroBuyer();

    constructor(address admin, address operator) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(OPERATOR_ROLE, operator);
    }

    function record(string calldata orderId, address buyer, uint256 amount, bytes32 paymentTx, bytes32 metaHash)
        external
        onlyRole(OPERATOR_ROLE)
    {
        if (buyer == address(0)) revert ZeroBuyer();
        bytes32 orderKey = keccak256(bytes(orderId));
        if (purchases[orderKey].buyer != address(0)) revert AlreadyRecorded(orderId);
        purchases[orderKey] = Purchase(buyer, amount, paymentTx, metaHash);
        emit PurchaseRecorded(orderKey, buyer, amount, paymentTx, metaHash, orderId);
    }
}
