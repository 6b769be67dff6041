// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

interface Token {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function burnFrom(address from, uint256 amount) external;
    function mint(address to, uint256 amount) external;
}

/// Stands in for Circle's TokenMessengerV2 and MessageTransmitterV2, which test chains lack: the same
/// calls, event, message layout, attestation check and nonce guard, in one contract.
contract CctpStandIn {
    uint32 public immutable localDomain;
    Token public immutable token;
    address public immutable attester;

    mapping(bytes32 nonce => uint256) public usedNonces;

    event MessageSent(bytes message);

    constructor(uint32 domain, Token token_, address attester_) {
        localDomain = domain;
        token = token_;
        attester = attester_;
    }

    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external {
        require(hookData.length > 0, "Hook data is empty");
        require(amount > maxFee, "Max fee must be less than amount");
        require(mintRecipient != bytes32(0), "Mint recipient must be nonzero");
        require(burnToken == address(token), "Burn token not supported");
        token.transferFrom(msg.sender, address(this), amount);
        token.burnFrom(address(this), amount);
        bytes memory body = abi.encodePacked(
            uint32(1), _word(burnToken), mintRecipient, amount, _word(msg.sender), maxFee, uint256(0), uint256(0), hookData
        );
        emit MessageSent(
            abi.encodePacked(
                uint32(1),
                localDomain,
                destinationDomain,
                bytes32(0),
                _word(address(this)),
                _word(address(this)),
                destinationCaller,
                minFinalityThreshold,
                uint32(0),
                body
            )
        );
    }

    function receiveMessage(bytes calldata message, bytes calldata attestation) external returns (bool) {
        require(_signer(keccak256(message), attestation) == attester, "Invalid signature: not attester");
        require(uint32(bytes4(message[8:12])) == localDomain, "Invalid destination domain");
        bytes32 caller = bytes32(message[108:140]);
        require(caller == bytes32(0) || caller == _word(msg.sender), "Invalid caller for message");
        bytes32 nonce = bytes32(message[12:44]);
        require(usedNonces[nonce] == 0, "Nonce already used");
        usedNonces[nonce] = 1;
        uint256 amount = uint256(bytes32(message[216:248]));
        uint256 fee = uint256(bytes32(message[312:344]));
        token.mint(address(uint160(uint256(bytes32(message[184:216])))), amount - fee);
        return true;
    }

    function _signer(bytes32 digest, bytes calldata signature) private pure returns (address) {
        require(signature.length == 65, "Invalid attestation length");
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
