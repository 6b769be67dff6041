// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Takes payments for orders and passes them to the treasury in the same transaction.
contract MarketplacePayments is AccessControl {
    using SafeERC20 for IERC20;

    address public immutable treasury;
    mapping(IERC20 token => bool) public accepted;

    /// Kept per payer: a stranger who pays one unit for somebody's order cannot block its owner.
    mapping(bytes32 orderKey => mapping(address payer => bool)) public paid;

    event PaymentReceived(
        bytes32 indexed orderKey, address indexed payer, address indexed token, uint256 amount, string orderId
    );
    event TokenAccepted(address indexed token, bool accepted);

    error AlreadyPaid(string orderId);
    error TokenNotAccepted(address token);
    error ZeroAmount();

    constructor(address admin, address treasury_, IERC20 firstToken) {
        treasury = treasury_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        accepted[firstToken] = true;
        emit TokenAccepted(address(firstToken), true);
    }

    function pay(string calldata orderId, IERC20 token, uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        if (!accepted[token]) revert TokenNotAccepted(address(token));
        bytes32 orderKey = keccak256(bytes(orderId));
        if (paid[orderKey][msg.sender]) revert AlreadyPaid(orderId);
        paid[orderKey][msg.sender] = true;
        emit PaymentReceived(orderKey, msg.sender, address(token), amount, orderId);
        token.safeTransferFrom(msg.sender, treasury, amount);
    }

    /// Plain transfers to this address count as payments too. Anyone may send them on, because they
    /// can only go to the treasury.
    function sweep(IERC20 token) external {
        token.safeTransfer(treasury, token.balanceOf(address(this)));
    }

    function accept(IERC20 token, bool isAccepted) external onlyRole(DEFAULT_ADMIN_ROLE) {
        accepted[token] = isAccepted;
        emit TokenAccepted(address(token), isAccepted);
    }
}
