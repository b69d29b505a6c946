use super::*;

#[test]
fn neutral_tunings_have_no_bytes() {
    assert!(Tuning::default().to_bytes().is_empty());
    assert_eq!(Tuning::from_bytes(&[]), Ok(Tuning::default()));
    assert_eq!(Tuning::from_bytes(&[0; 16]), Err(TuningError::Idle));
}

#[test]
fn what_is_no_tuning_is_refused() {
    let early = Err(TuningError::Bits(BitsError::EndOfInput));
    assert_eq!(Tuning::from_bytes(&[0x10; 15]), early);
    let mut bytes = [0x10; 17];
    assert_eq!(
        Tuning::from_bytes(&bytes[..16]).expect("terms").to_bytes(),
        bytes[..16]
    );
    bytes[15] = 1;
    let trailing = Err(TuningError::Bits(BitsError::Trailing));
    assert_eq!(Tuning::from_bytes(&bytes[..16]), trailing);
    bytes[15] = 0;
    assert!(Tuning::from_bytes(&bytes).is_err(), "a book of one byte");
}
