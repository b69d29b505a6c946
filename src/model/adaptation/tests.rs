use super::*;

#[test]
fn neutral_adaptations_have_no_bytes() {
    assert!(Adaptation::default().to_bytes().is_empty());
    assert_eq!(Adaptation::from_bytes(&[]), Ok(Adaptation::default()));
    assert_eq!(
        Adaptation::from_bytes(&[0; 16]),
        Err(AdaptationError::NoEffect)
    );
}

#[test]
fn invalid_adaptations_are_refused() {
    let early = Err(AdaptationError::Bits(BitsError::EndOfInput));
    assert_eq!(Adaptation::from_bytes(&[0x10; 15]), early);
    let mut bytes = [0x10; 17];
    assert_eq!(
        Adaptation::from_bytes(&bytes[..16])
            .expect("terms")
            .to_bytes(),
        bytes[..16]
    );
    bytes[15] = 1;
    let trailing = Err(AdaptationError::Bits(BitsError::Trailing));
    assert_eq!(Adaptation::from_bytes(&bytes[..16]), trailing);
    bytes[15] = 0;
    assert!(
        Adaptation::from_bytes(&bytes).is_err(),
        "a book of one byte"
    );
}
